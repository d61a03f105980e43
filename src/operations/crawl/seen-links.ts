// Numbers of links that were seen, looked up for every link of every page: an open table of numbers, because a Set has to make an
// object of each number that it is asked for.

/** More are not noted: then some links are looked at again. */
const mostSeen = 200_000;
const firstPlaces = 1024;

export interface SeenLinks {
  has(number: number): boolean;
  hasAll(numbers: Float64Array): boolean;
  add(number: number): void;
}

export function createSeenLinks(): SeenLinks {
  let places = new Float64Array(firstPlaces);
  let count = 0;
  let hasZero = false;

  /** Where the number is, or would be. 0 marks a free place. */
  function placeOf(number: number): number {
    const last = places.length - 1;
    let place = number & last;
    while (places[place] !== 0 && places[place] !== number) place = (place + 1) & last;
    return place;
  }

  function grow(): void {
    const before = places;
    places = new Float64Array(before.length * 2);
    for (const number of before) if (number !== 0) places[placeOf(number)] = number;
  }

  const has = (number: number) => (number === 0 ? hasZero : places[placeOf(number)] === number);

  return {
    has,
    hasAll(numbers) {
      for (let place = 0; place < numbers.length; place += 1) if (!has(numbers[place] as number)) return false;
      return true;
    },
    add(number) {
      if (number === 0) hasZero = true;
      else if (count < mostSeen) {
        const place = placeOf(number);
        if (places[place] === number) return;
        places[place] = number;
        count += 1;
        if (count * 2 > places.length) grow();
      }
    },
  };
}
