/** Runs steps, several at a time, each with its output in a separate file. */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../setup.mjs';
import { clock, progress, progressLine } from './progress.mjs';
import { blocked, startable } from './schedule.mjs';

/** Output of the last run: the output of each step, the reports of its tests, and the duration of each step. */
export const LAST_RUN = join(root, 'node_modules', '.cache', 'autonomous-test');
const TIMES = join(LAST_RUN, 'seconds.json');
/** One more than the cores of the machines that this is tuned for: the suites wait for disks and windows much of the time. */
const LANES = 3;
/** Shown lines of the output of a failed step. */
const SHOWN_LINES = 300;

const fileName = (name) => name.replaceAll(/\W+/g, '-');
export const reportOf = (report) => join(LAST_RUN, `${report}.json`);

function lastSeconds() {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'));
  } catch {
    return {}; // no earlier run, or one that was killed while it wrote: the estimates of the steps are used
  }
}

async function runToFile([command, ...args], file, env) {
  const output = openSync(file, 'w');
  try {
    return await run(command, args, { stdio: ['ignore', output, output], ...(env ? { env } : {}) });
  } finally {
    closeSync(output);
  }
}

function lastLines(file) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const left = lines.length - SHOWN_LINES;
  return [...(left > 0 ? [`… ${left} more lines in ${file}`] : []), ...lines.slice(-SHOWN_LINES)].join('\n');
}

/**
 * Resolves to the status and the seconds of each step. A step whose command cannot be started has failed.
 * @param {readonly import('./schedule.mjs').Step[]} planned
 * @param {{ env?: NodeJS.ProcessEnv, before?: (step: import('./schedule.mjs').Step) => readonly string[] }} options before: words before its command
 */
export async function runSteps(planned, { env, before = () => [] } = {}) {
  mkdirSync(LAST_RUN, { recursive: true });
  const known = lastSeconds();
  const steps = planned.map((step) => ({ ...step, seconds: known[step.name] ?? step.seconds }));
  /** @type {Map<string, import('./schedule.mjs').Status>} */
  const statuses = new Map();
  const started = new Map();
  const took = {};
  const elapsed = (name) => (Date.now() - started.get(name)) / 1000;
  const shown = progress(() => progressLine(steps, statuses, elapsed, LANES));
  const running = new Map();
  // The running steps receive Ctrl-C from the terminal; no other step starts.
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  const start = (step) => {
    statuses.set(step.name, 'running');
    started.set(step.name, Date.now());
    const file = join(LAST_RUN, `${fileName(step.name)}.log`);
    const ended = runToFile([...before(step), ...step.command], file, env)
      .catch((error) => {
        writeFileSync(file, `${error.message}\n`, { flag: 'a' });
        return 1;
      })
      .then((code) => {
        running.delete(step.name);
        took[step.name] = elapsed(step.name);
        statuses.set(step.name, code === 0 ? 'passed' : 'failed');
        if (code === 0) return shown.print(`ok      ${step.name}  ${clock(took[step.name])}`);
        shown.print(`FAILED  ${step.name}  ${clock(took[step.name])}  exit code ${code}\n${lastLines(file)}`);
      });
    running.set(step.name, ended);
  };

  try {
    for (;;) {
      for (const { name } of blocked(steps, statuses)) statuses.set(name, 'not run');
      if (!stopped) for (const step of startable(steps, statuses, LANES)) start(step);
      if (running.size === 0) break;
      await Promise.race(running.values());
    }
  } finally {
    shown.close();
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
  writeFileSync(TIMES, JSON.stringify({ ...known, ...took }, null, 2));
  return steps.map(({ name }) => ({ name, status: statuses.get(name) ?? 'not run', seconds: took[name] ?? 0 }));
}
