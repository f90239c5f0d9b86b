/** Formats the results of the inspection commands as Markdown. Texts of models and repositories are fenced or escaped. */
import * as vscode from 'vscode';
import { fenced } from '../../core/text/fenced.ts';
import type { Rehearsal } from '../../engine/workspace/workspace.ts';
import type { Diagnostic } from '../../shared/diagnostic.ts';
import { plainMarkdown } from '../words/plainMarkdown.ts';

const usd = (amount: number): string => `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
const oneLine = (text: string): string => text.replaceAll(/[|\n\r]/g, ' ');
const page = (parts: readonly string[]): string => parts.join('\n\n').concat('\n');

export function rehearsalText(brief: string, run: Rehearsal): string {
  const rows = run.steps.map(
    ({ text, costUsd }) => `| ${plainMarkdown(oneLine(text))} | ${costUsd === 0 ? '' : usd(costUsd)} |`,
  );
  return page([
    `# ${vscode.l10n.t('Dry run on a simulation')}`,
    vscode.l10n.t('Nothing was changed and no model was called.'),
    vscode.l10n.t(
      'This scenario on real models would cost between {0} and {1}; your brief may cost far more: its budget bounds it.',
      usd(run.lowUsd),
      usd(run.highUsd),
    ),
    run.note,
    `## ${vscode.l10n.t('The brief')}`,
    fenced(brief, 'text'),
    `## ${vscode.l10n.t('What happened')}`,
    [`| ${vscode.l10n.t('Step')} | ${vscode.l10n.t('Cost')} |`, '| --- | ---: |', ...rows].join('\n'),
  ]);
}

/** Missing items first, each with its fix. */
export function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  const missing = diagnostics.filter(({ ok }) => !ok);
  const present = diagnostics.filter(({ ok }) => ok);
  const mend = ({ name, detail, fix }: Diagnostic): string =>
    [
      `### ${name}`,
      plainMarkdown(detail),
      ...(fix === '' ? [] : [`**${vscode.l10n.t('How to fix it')}**`, fenced(fix, 'text')]),
    ].join('\n\n');
  return page([
    `# ${vscode.l10n.t('What this machine has')}`,
    missing.length === 0
      ? vscode.l10n.t('Nothing is missing: all {0} checks passed.', diagnostics.length)
      : vscode.l10n.t('{0} of {1} checks failed.', missing.length, diagnostics.length),
    ...(missing.length === 0 ? [] : [`## ${vscode.l10n.t('Missing')}`, ...missing.map(mend)]),
    ...(present.length === 0
      ? []
      : [
          `## ${vscode.l10n.t('In order')}`,
          present.map(({ name, detail }) => `* **${name}**: ${plainMarkdown(detail)}`).join('\n'),
        ]),
  ]);
}

/** The parts of a Messages API request that a person reads. */
interface Request {
  readonly model?: unknown;
  readonly max_tokens?: unknown;
  readonly system?: unknown;
  readonly messages?: readonly { readonly role?: unknown; readonly content?: unknown }[];
  readonly tools?: readonly { readonly name?: unknown }[];
}

/** `body` is the exact JSON text; it is appended verbatim. */
export function requestText(describes: string, body: string): string {
  const request = JSON.parse(body) as Request;
  const tools = (request.tools ?? []).map(({ name }) => `\`${oneLine(String(name))}\``);
  const facts = [
    [vscode.l10n.t('For'), oneLine(describes)],
    [vscode.l10n.t('Model'), `\`${oneLine(String(request.model))}\``],
    [vscode.l10n.t('Longest answer'), vscode.l10n.t('{0} tokens', String(request.max_tokens))],
    [vscode.l10n.t('Tools'), tools.length === 0 ? vscode.l10n.t('none') : tools.join(', ')],
  ];
  return page([
    `# ${vscode.l10n.t('The next request')}`,
    vscode.l10n.t('Viewing it does not send it.'),
    ['| | |', '| --- | --- |', ...facts.map(([name, value]) => `| ${name} | ${value} |`)].join('\n'),
    ...(request.system === undefined
      ? []
      : [`## ${vscode.l10n.t('System')}`, fenced(contentText(request.system), 'text')]),
    ...(request.messages ?? []).flatMap(({ role, content }) => [
      `## ${oneLine(String(role))}`,
      fenced(contentText(content), 'text'),
    ]),
    `## ${vscode.l10n.t('The whole request')}`,
    fenced(JSON.stringify(request, null, 2), 'json'),
  ]);
}

/** Text blocks as text, other content as JSON. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2);
  return content
    .map((block: unknown) =>
      typeof block === 'object' && block !== null && 'text' in block
        ? String(block.text)
        : JSON.stringify(block, null, 2),
    )
    .join('\n\n');
}
