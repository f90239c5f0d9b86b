/** Formats the result of the agent check as Markdown. Titles and versions of agents are untrusted data. */
import * as vscode from 'vscode';
import { fenced } from '../../core/text/fenced.ts';
import type { LookedAgent, LookedAgents } from '../../engine/workspace/workspace.ts';
import { plainMarkdown } from '../words/plainMarkdown.ts';
import { abilityNames, paidText, stateName } from './agentWords.ts';

const cell = (text: string): string => plainMarkdown(text.replaceAll(/[|\n\r]/g, ' '));

export function agentsText({ agents, faults }: LookedAgents): string {
  const ready = agents.filter(({ probe }) => probe.state === 'ready');
  const others = agents.filter(({ probe }) => probe.state !== 'ready');
  return [
    `# ${vscode.l10n.t('Agents')}`,
    vscode.l10n.t('{0} of {1} known agents can be chosen on this machine.', ready.length, agents.length),
    vscode.l10n.t('The built-in agent does not need any of them.'),
    ...(ready.length === 0 ? [] : [table(ready)]),
    ...(others.length === 0 ? [] : [`## ${vscode.l10n.t('Not ready')}`, ...others.map(lacking)]),
    `## ${vscode.l10n.t('Your own')}`,
    ...faults.map((fault) => `**${plainMarkdown(fault)}**`),
    vscode.l10n.t(
      'Any agent that speaks ACP, or runs as one command, can be added in agents.yaml in the folder of your settings of Autonomous. For details, see the documentation.',
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

function table(agents: readonly LookedAgent[]): string {
  const head = [
    vscode.l10n.t('Agent'),
    vscode.l10n.t('Name'),
    vscode.l10n.t('Version'),
    vscode.l10n.t('Its calls'),
    vscode.l10n.t('Can'),
    vscode.l10n.t('Lacks'),
  ];
  const rows = agents.map(({ probe }) => {
    const { title, name, version, can, lacks } = probe;
    return [
      cell(title),
      `\`${name}\``,
      cell(version ?? ''),
      paidText(probe),
      cell(abilityNames(can).join(', ')),
      cell(abilityNames(lacks).join(', ')),
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function lacking({ probe, entry: { install, url } }: LookedAgent): string {
  const { title, name, state, detail, fix } = probe;
  return [
    `### ${cell(title)} (\`${name}\`): ${stateName(state)}`,
    ...(detail === '' ? [] : [plainMarkdown(detail)]),
    ...(fix === '' || fix === install ? [] : [plainMarkdown(fix)]),
    ...(state === 'missing' ? [fenced(install, 'text')] : []),
    `<${encodeURI(url)}>`,
  ].join('\n\n');
}
