/** `preview`: the exact next request to the model, without sending it. */
import { type Context, findJob, printExact, readState } from '../../screen/context.ts';
import { visibleLine } from '../../text/visible.ts';

export async function previewVerb(context: Context, id: string | undefined): Promise<number> {
  const job = id === undefined ? null : findJob(context, await readState(context), id);
  const { describes, body } = await context.workspace.job.preview(job?.id ?? null);
  const request: unknown = JSON.parse(body);
  if (!context.json) context.deps.io.err(`${visibleLine(describes)}\n`);
  printExact(context, { describes, request }, body, JSON.stringify(request, null, 2));
  return 0;
}
