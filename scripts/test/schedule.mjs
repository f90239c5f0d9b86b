/** Decides which steps of a run start next and estimates how long the rest takes. Pure. */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} command
 * @property {readonly string[]} [needs] names of steps that must have passed before this one starts
 * @property {number} seconds how long it takes on two idle cores; used for the estimate only
 * @property {boolean} [ahead] the processor serves it before the others, where that is allowed
 * @property {string} [report] name of the report that its tests write
 */
/** @typedef {'passed' | 'failed' | 'running' | 'not run'} Status */
/** @typedef {ReadonlyMap<string, Status>} Statuses by the name of the step; a step that is missing has not started */

/** Whether a step that this one needs did not pass, so that it can never start. @param {Step} step @param {Statuses} statuses */
const isBlocked = ({ needs = [] }, statuses) =>
  needs.some((name) => statuses.get(name) === 'failed' || statuses.get(name) === 'not run');

/** @param {Step} step @param {Statuses} statuses */
const isReady = ({ name, needs = [] }, statuses) =>
  !statuses.has(name) && needs.every((need) => statuses.get(need) === 'passed');

/** The steps that can never start because a step that they need failed. @param {readonly Step[]} steps @param {Statuses} statuses */
export function blocked(steps, statuses) {
  const known = new Map(statuses);
  const found = [];
  for (const step of steps) {
    if (known.has(step.name) || !isBlocked(step, known)) continue;
    known.set(step.name, 'not run');
    found.push(step);
  }
  return found;
}

/** The steps to start now, in the order of the list. @param {readonly Step[]} steps @param {Statuses} statuses @param {number} lanes */
export function startable(steps, statuses, lanes) {
  const running = steps.filter(({ name }) => statuses.get(name) === 'running');
  return steps.filter((step) => isReady(step, statuses)).slice(0, Math.max(lanes - running.length, 0));
}

/**
 * Seconds until all steps have ended if each takes as long as estimated.
 * @param {readonly Step[]} steps
 * @param {Statuses} statuses
 * @param {(name: string) => number} elapsed seconds since a running step started
 * @param {number} lanes
 */
export function secondsLeft(steps, statuses, elapsed, lanes) {
  const known = new Map(statuses);
  /** @type {Map<string, number>} */
  const ends = new Map();
  for (const { name, seconds } of steps)
    if (known.get(name) === 'running') ends.set(name, Math.max(seconds - elapsed(name), 1));
  let now = 0;
  for (;;) {
    for (const { name, seconds } of startable(steps, known, lanes)) {
      known.set(name, 'running');
      ends.set(name, now + seconds);
    }
    if (ends.size === 0) return now;
    now = Math.min(...ends.values());
    for (const [name, end] of ends) {
      if (end > now) continue;
      known.set(name, 'passed');
      ends.delete(name);
    }
  }
}
