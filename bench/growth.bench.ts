/** What twice the input costs: what is read as a whole must not be quadratic. Processor time, which a busy machine lengthens little. */
import { passRequest } from '../src/adapters/gateway/send/request.ts';
import { planFaults } from '../src/core/job/plan/planCheck.ts';
import { board } from '../src/core/job/view/board.ts';
import { costs } from '../src/core/money/view/costs.ts';
import { planSchema } from '../src/shared/job/plan.ts';
import { PLAN_LIMITS } from '../src/shared/job/planLimits.ts';
import { planFeature, planPhase } from '../test/support/state/builders.ts';
import { crowd, TODAY } from './crowd.ts';
import { median, round, show } from './table.ts';

const ROUNDS = 7;
const GROWTH = 2.5;
/** Enough of a run to be measured. */
const ENOUGH_MS = 30;

function cpuMs(run: () => void, times: number): number {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

/** `of` prepares the work on so much input. */
function growth(what: string, size: number, of: (size: number) => () => void): readonly (string | number)[] {
  const [half, whole] = [of(size / 2), of(size)];
  const times = Math.max(1, Math.ceil(ENOUGH_MS / Math.max(0.01, cpuMs(half, 3))));
  const pairs = Array.from({ length: ROUNDS }, () => ({ half: cpuMs(half, times), whole: cpuMs(whole, times) }));
  const ratio = median(pairs.map((pair) => pair.whole / pair.half));
  const ms = median(pairs.map((pair) => pair.whole));
  return [what, size, round(ms, 2), round(ratio, 2), `<= ${GROWTH}`, ratio <= GROWTH ? 'met' : 'MISSED'];
}

function planOf(size: number, after: (index: number) => number | null) {
  const features = Array.from({ length: size }, (_, index) => {
    const on = after(index);
    return planFeature({ name: `f${index}`, depends_on: on === null ? [] : [`f${on}`] });
  });
  return { title: 'Large', phases: [planPhase({ features })] };
}

function request(messages: number): () => void {
  const text = 'x'.repeat(10_000);
  const body = JSON.stringify({
    model: 'm',
    max_tokens: 10,
    messages: Array.from({ length: messages }, () => ({ role: 'user', content: [{ type: 'text', text }] })),
  });
  return () => void passRequest({ path: '/v1/messages', method: 'POST', headers: {}, body, sessionId: 1 });
}

function faults(after: (index: number, size: number) => number | null): (size: number) => () => void {
  return (size) => {
    const plan = planOf(size, (index) => after(index, size));
    return () => void planFaults(plan);
  };
}

show(
  `Twice the input (median of ${ROUNDS})`,
  ['what', 'input', 'ms', 'to half of it', 'target', ''],
  [
    growth('board, features with ten calls each', 10_000, (size) => {
      const state = crowd(size);
      return () => void board(state);
    }),
    growth('costs, features with ten calls each', 10_000, (size) => {
      const state = crowd(size);
      return () => void costs(state, TODAY);
    }),
    growth('plan schema, features', 10_000, (size) => {
      const plan = planOf(size, () => null);
      return () => void planSchema.safeParse(plan);
    }),
    growth(
      'faults of a plan in one chain',
      PLAN_LIMITS.features,
      faults((index) => (index === 0 ? null : index - 1)),
    ),
    growth(
      'faults of a plan in one circle',
      PLAN_LIMITS.features,
      faults((index, size) => (index + 1) % size),
    ),
    growth('a request at the gateway, messages', 400, request),
  ],
);
