// Maps the confidence that the model states to the quality that such results reached.

/** [stated, reached] on pages of sites that the model had not seen; both ascend. */
export type ConfidenceSteps = readonly (readonly [said: number, reached: number])[];

/** The quality that results of this stated confidence reached: linear between two steps, constant beyond the last. */
export function calibrated(said: number, steps: ConfidenceSteps): number {
  const [first] = steps;
  if (first === undefined) return said;
  let [lowSaid, lowReached] = first;
  if (said <= lowSaid) return lowSaid > 0 ? (lowReached * said) / lowSaid : lowReached;
  for (const [highSaid, highReached] of steps) {
    if (said <= highSaid)
      return lowReached + ((highReached - lowReached) * (said - lowSaid)) / Math.max(1e-9, highSaid - lowSaid);
    [lowSaid, lowReached] = [highSaid, highReached];
  }
  return lowReached;
}
