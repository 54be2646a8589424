// How long a pair was looked at: the time in which its page was in sight.

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

  /** Seconds, to the hundredth. */
  get seconds() {
    return Math.round(this.milliseconds / 10) / 100;
  }
}
