// Loaded before a server: its machine's clock is wrong by so many milliseconds.
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const RealDate = globalThis.Date;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + ahead);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
