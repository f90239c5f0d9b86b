/** Run Backlog on a stand-in for the editor: confirmed with the number of features, filed as one job. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { HostContext } from '../../../../../src/vscode/window/context.ts';
import { featureRow, JOB_ID, jobRow, stateOf } from '../../../../support/state/builders.ts';

const editor = vi.hoisted(() => ({ asked: [] as unknown[], ran: [] as unknown[], press: false }));

vi.mock('vscode', () => ({
  commands: { executeCommand: async (...command: unknown[]) => void editor.ran.push(command) },
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  ProgressLocation: { Window: 10 },
  window: {
    showInformationMessage: async (text: string, options: { readonly detail: string }, go: string) => {
      editor.asked.push([text, options]);
      return editor.press ? go : undefined;
    },
    withProgress: (_options: unknown, work: () => unknown) => work(),
  },
}));

const { runBacklog } = await import('../../../../../src/vscode/job/brief/runBacklog.ts');

const request = vi.fn(async () => ({ jobId: JOB_ID }));

const contextOf = (...features: ReturnType<typeof featureRow>[]): HostContext =>
  ({
    engine: { open: async () => undefined, state: stateOf({ jobs: [jobRow()], features }), request },
  }) as unknown as HostContext;

const waiting = (id: number) => featureRow({ id, job_id: null, phase_id: null, status: 'pending' });

beforeEach(() => {
  editor.asked.length = 0;
  editor.ran.length = 0;
  editor.press = false;
  request.mockClear();
});

it('files a job for the features that no job has, once it is confirmed with their number', async () => {
  const context = contextOf(waiting(5), waiting(9), featureRow({ id: 10 }));
  await runBacklog(context);
  expect(editor.asked).toEqual([
    ['Run the backlog?', { modal: true, detail: expect.stringContaining('Features without a job: 2.') }],
  ]);
  expect(request).not.toHaveBeenCalled();
  editor.press = true;
  await runBacklog(context);
  expect(request).toHaveBeenCalledExactlyOnceWith('submitBrief', { backlog: true });
  expect(editor.ran).toEqual([['autonomous.openBoard']]);
});

it('says that the backlog is empty instead of asking', async () => {
  await expect(runBacklog(contextOf(featureRow({ id: 10 })))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(editor.asked).toEqual([]);
});
