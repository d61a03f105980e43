// The confidence that the model states -> how good such results were on pages of sites that it had not seen. The steps must
// rise, so falling ones are joined (isotonic regression).

/** Fewer pages say too little about a step. */
const stepPages = 25;

/** `pairs`: [said, reached] of each page. Steps [said, reached], both rising; between two of them lies a straight line. */
export function calibrate(pairs) {
  const sorted = [...pairs].sort(([one], [other]) => one - other);
  const steps = [];
  const count = Math.max(1, Math.floor(sorted.length / stepPages));
  for (let step = 0; step < count; step += 1) {
    const from = Math.floor((sorted.length * step) / count);
    const members = sorted.slice(from, Math.floor((sorted.length * (step + 1)) / count));
    steps.push({ pages: members.length, said: sumOf(members, 0), reached: sumOf(members, 1) });
    while (steps.length > 1 && meanOf(steps.at(-2)) >= meanOf(steps.at(-1))) joinLast(steps);
  }
  return steps.map(({ said, reached, pages }) => [round(said / pages), round(reached / pages)]);
}

function sumOf(pairs, place) {
  return pairs.reduce((sum, pair) => sum + pair[place], 0);
}

function meanOf({ reached, pages }) {
  return reached / pages;
}

function joinLast(steps) {
  const { said, reached, pages } = steps.pop();
  const last = steps.at(-1);
  last.said += said;
  last.reached += reached;
  last.pages += pages;
}

function round(value) {
  return Math.round(value * 1e4) / 1e4;
}
