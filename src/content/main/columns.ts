// The features of all blocks of a page: one column of numbers for each, found by its name.
import { type FeatureName, featureNames } from "./feature-names.ts";

export class Columns {
  /** In the order of `featureNames`, as the model reads them. */
  readonly inOrder: Float32Array[] = [];
  readonly byName: Readonly<Record<FeatureName, Float32Array>>;

  constructor(blockCount: number) {
    const numbers = new Float32Array(featureNames.length * blockCount);
    const byName = {} as Record<FeatureName, Float32Array>;
    for (const [place, name] of featureNames.entries()) {
      const column = numbers.subarray(place * blockCount, (place + 1) * blockCount);
      this.inOrder.push(column);
      byName[name] = column;
    }
    this.byName = byName;
  }
}
