/** Shows how a run of steps gets on: one line that is redrawn in a terminal, a line now and then elsewhere. */
import { secondsLeft } from './schedule.mjs';

const REDRAW_MS = 1_000;
/** A log that is silent for longer looks like a hanging run. */
const QUIET_MS = 60_000;

/** `75` → `1:15`. @param {number} seconds */
export function clock(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * @param {readonly import('./schedule.mjs').Step[]} steps
 * @param {import('./schedule.mjs').Statuses} statuses
 * @param {(name: string) => number} elapsed
 * @param {number} lanes
 */
export function progressLine(steps, statuses, elapsed, lanes) {
  const of = (status) => steps.filter(({ name }) => statuses.get(name) === status);
  const failed = of('failed').length;
  const done = steps.length - steps.filter(({ name }) => !statuses.has(name)).length - of('running').length;
  const running = of('running').map(({ name }) => `${name} ${clock(elapsed(name))}`);
  const left = secondsLeft(steps, statuses, elapsed, lanes);
  return [
    `${done}/${steps.length} steps${failed > 0 ? `, ${failed} failed` : ''}`,
    ...(running.length > 0 ? [`running: ${running.join(', ')}`] : []),
    `about ${clock(left)} left`,
  ].join(' · ');
}

/**
 * `print` writes a line above the live one. Call `close` at the end.
 * @param {() => string} line
 * @param {NodeJS.WriteStream} out
 */
export function progress(line, out = process.stdout) {
  const live = out.isTTY === true;
  const draw = () => out.write(`\r\u001b[K${line().slice(0, Math.max(20, (out.columns || 80) - 1))}`);
  const timer = setInterval(() => (live ? draw() : out.write(`      ${line()}\n`)), live ? REDRAW_MS : QUIET_MS);
  return {
    /** @param {string} text */
    print(text) {
      out.write(live ? `\r\u001b[K${text}\n` : `${text}\n`);
      if (live) draw();
    },
    close() {
      clearInterval(timer);
      if (live) out.write('\r\u001b[K');
    },
  };
}
