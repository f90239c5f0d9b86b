/** The line that seed 003 prints when a feature is released. */
export function statusLine(
  featureId: number,
  use: { readonly retryCount: number; readonly maxRetries: number },
): string {
  return use.retryCount >= use.maxRetries
    ? `Feature ${featureId} -> FAILED (exceeded ${use.maxRetries} retries)`
    : `Feature ${featureId} -> pending (retry ${use.retryCount}/${use.maxRetries})`;
}
