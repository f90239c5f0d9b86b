/** `status FEATURE_ID STATUS`: seed 003's verb, as the steward's act. */
import { type Context, print, request } from '../screen/context.ts';
import { parseId, parseStatus } from '../text/parse.ts';

/** `pending` uses a retry and fails the feature at the limit; the others just say so. */
export async function statusVerb(context: Context, id: string, word: string): Promise<number> {
  const featureId = parseId(id, 'feature');
  const status = parseStatus(word);
  if (status !== 'pending') {
    await request(context, 'setFeature', { featureId, status });
    print(context, { feature: { id: featureId, status } }, `Feature ${featureId} -> ${status}`);
    return 0;
  }
  const answer = await request(context, 'retryFeature', { featureId });
  const { retryCount, maxRetries } = answer;
  const outcome =
    answer.status === 'failed'
      ? `FAILED (exceeded ${maxRetries} retries)`
      : `pending (retry ${retryCount}/${maxRetries})`;
  print(
    context,
    { feature: { id: featureId, status: answer.status, retryCount, maxRetries } },
    `Feature ${featureId} -> ${outcome}`,
  );
  return 0;
}
