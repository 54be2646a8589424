// Measures how long a pair was looked at: the time during which its page was visible.

const LONGEST = 24 * 3600; // seconds: the server accepts no more, and nobody looks at a pair for longer

export class Stopwatch {
  constructor() {
    this.start();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.hold();
      else this.since = performance.now();
    });
  }

  start() {
    this.before = 0;
    this.since = document.hidden ? null : performance.now();
  }

  hold() {
    this.before = this.milliseconds;
    this.since = null;
  }

  get milliseconds() {
    return this.before + (this.since === null ? 0 : performance.now() - this.since);
  }

  /** Seconds, to the hundredth; at most a day. */
  get seconds() {
    return Math.min(Math.round(this.milliseconds / 10) / 100, LONGEST);
  }
}
