// Which redirects of a page may be followed. Engines only learn that one may not; the reason stays here for the answer.

export interface RedirectRule<Refusal> {
  mayFollow(url: string): Promise<boolean>;
  /** Why the last redirect that was asked about was not followed; null when it was. */
  refusal(): Refusal | null;
}

export function createRedirectRule<Refusal>(
  refusalOf: (url: string) => Promise<Refusal | null>,
): RedirectRule<Refusal> {
  let refusal: Refusal | null = null;
  return {
    async mayFollow(url) {
      refusal = await refusalOf(url);
      return refusal === null;
    },
    refusal: () => refusal,
  };
}
