/** Addresses of plans as files. */
import * as vscode from 'vscode';

const PLAN_SCHEME = 'autonomous-plan';

export interface PlanFile {
  readonly jobId: string;
  /** null for the newest version, which can be saved. */
  readonly version: number | null;
}

export function planUri(jobId: string, version: number | null = null): vscode.Uri {
  const name = version === null ? 'plan.yaml' : `plan-${version}.yaml`;
  return vscode.Uri.from({ scheme: PLAN_SCHEME, path: `/${jobId}/${name}` });
}

/** Returns null if the URI is not a plan. */
export function planFileOf(uri: vscode.Uri): PlanFile | null {
  const found = uri.scheme === PLAN_SCHEME ? /^\/([^/]+)\/plan(?:-(\d+))?\.yaml$/.exec(uri.path) : null;
  const jobId = found?.[1];
  if (jobId === undefined) return null;
  return { jobId, version: found?.[2] === undefined ? null : Number(found[2]) };
}
