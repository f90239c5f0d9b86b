/** `preview`: the exact next request to the model, without sending it. */
import { type Context, findJob, print, readState } from '../context.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';

export async function previewVerb(context: Context, id: string | undefined): Promise<number> {
  const job = id === undefined ? null : findJob(context, await readState(context), id);
  const { describes, body } = await context.deps.preview(context.projectDir, job?.id ?? null);
  if (context.json) {
    print(context, { describes, request: JSON.parse(body) as unknown }, '');
    return 0;
  }
  context.deps.io.err(`${visibleLine(describes)}\n`);
  print(context, {}, context.deps.io.isTTY ? visibleBlock(JSON.stringify(JSON.parse(body), null, 2)) : body);
  return 0;
}
