// How many pages a team can pay for.
import { type Credits, unlimitedCredits } from "./credits.ts";

/** The wanted number, cut to what is left. */
export async function affordablePages(
  credits: Credits,
  teamId: string,
  price: number,
  wanted: number,
): Promise<number> {
  const { remainingCredits } = await credits.readBalance(teamId);
  if (remainingCredits === unlimitedCredits || price === 0) return wanted;
  return Math.min(wanted, Math.floor(remainingCredits / price));
}

export function cutWarning(pages: number): string {
  return `The limit was cut to ${pages} pages, for which credits are left.`;
}
