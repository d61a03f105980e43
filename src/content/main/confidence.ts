// Maps the confidence that the model states to the quality that such results reached.

/** [said, reached] by results on pages of sites that the model had not seen, both rising. */
export type ConfidenceSteps = readonly (readonly [said: number, reached: number])[];

/** What results of which so much is said reached: on a straight line between two steps, and as the last ones beyond them. */
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
