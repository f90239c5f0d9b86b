/** What a task will do is before a person whole, however much it is, and nothing but a yes starts it. */
import { beforeEach, expect, it, vi } from 'vitest';

const person = vi.hoisted(() => ({ asked: [] as unknown[][], press: 'Start Task' }));

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  window: {
    showWarningMessage: async (...asked: unknown[]) => {
      person.asked.push(asked);
      return asked.find((one) => (one as { title?: string }).title === person.press);
    },
  },
}));

const { effectsAgreed } = await import('../../../../src/vscode/task/effects.ts');

const NONE = { grants: [], commands: [], hosts: [], briefs: [], actions: [] };
const shown: string[] = [];
const world = { documents: { show: async (_: string, text: string) => void shown.push(text) } } as never;

beforeEach(() => {
  shown.length = 0;
  Object.assign(person, { asked: [], press: 'Start Task' });
});

it('asks nothing of a task that only asks the model', async () => {
  expect(await effectsAgreed(world, 'A', NONE)).toBe(true);
  expect(person.asked).toEqual([]);
});

it.each(['Do Not Start', 'dismissed'])('does not start on: %s', async (press) => {
  person.press = press;
  expect(await effectsAgreed(world, 'A', { ...NONE, hosts: ['api.github.com'] })).toBe(false);
});

it('shows gates, ways of merging and budgets before all else', async () => {
  const grants = ['Build: gates: [], budgetUsd: 5000'];
  expect(await effectsAgreed(world, 'A', { ...NONE, grants, commands: ['git log'] })).toBe(true);
  expect(JSON.stringify(person.asked)).toMatch(/Gates.*budgetUsd: 5000.*git log/s);
});

it('shows what is short in the question, and what is long in an editor, to its last word', async () => {
  expect(await effectsAgreed(world, 'A', { ...NONE, commands: ['git log'], actions: ['acme.tools/x'] })).toBe(true);
  expect(JSON.stringify(person.asked)).toMatch(/git log.*acme\.tools/s);
  const long = `echo ${'a'.repeat(2_000)}; rm -rf last`;
  expect(await effectsAgreed(world, 'A', { ...NONE, commands: [long] })).toBe(true);
  expect(shown.join()).toContain('rm -rf last');
});
