/** The list of approval rules: an offer can be created, a rule shows its uses and can be revoked. */
import * as vscode from 'vscode';
import { ruleOffers } from '../../core/rule/offers.ts';
import { ruleViews } from '../../core/rule/ruleViews.ts';
import { offerText } from '../../core/rule/ruleWords.ts';
import type { RuleOffer } from '../../shared/rule/rules.ts';
import type { RuleView } from '../../shared/rule/ruleViews.ts';
import type { EngineHandle } from '../window/context.ts';
import { plainWords } from '../words/plainWords.ts';

interface Item extends vscode.QuickPickItem {
  act(): Promise<void>;
}

export async function showRules(engine: EngineHandle): Promise<void> {
  const offers = ruleOffers(engine.state).map((offer) => offerItem(engine, offer));
  const rules = ruleViews(engine.state).map((rule) => ruleItem(engine, rule));
  if (offers.length + rules.length === 0) {
    const none = vscode.l10n.t(
      'No approval rules. A rule is offered after you approved a gate for one kind of work at least ten times and never rejected it.',
    );
    await vscode.window.showInformationMessage(plainWords(none));
    return;
  }
  const picked = await vscode.window.showQuickPick([...offers, ...rules], {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Approval Rules'),
    placeHolder: vscode.l10n.t('Create an offered rule, or show a rule and its uses'),
    matchOnDetail: true,
  });
  await picked?.act();
}

function offerItem(engine: EngineHandle, offer: RuleOffer): Item {
  return {
    label: `$(add) ${vscode.l10n.t('Offered rule')}`,
    detail: offerText(offer),
    act: async () => {
      const create = { title: vscode.l10n.t('Create Rule') };
      const answer = await vscode.window.showWarningMessage(
        plainWords(vscode.l10n.t('Approve such gates by a rule?')),
        {
          modal: true,
          detail: plainWords(
            `${offerText(offer)}\n\n${vscode.l10n.t('You are not asked about such work. Each use is recorded, and you can revoke the rule at any time.')}`,
          ),
        },
        create,
      );
      if (answer === create) await engine.request('createRule', { offer: offer.id, text: offer.text });
    },
  };
}

function ruleItem(engine: EngineHandle, rule: RuleView): Item {
  const state = rule.revokedAt === null ? vscode.l10n.t('in force') : vscode.l10n.t('revoked');
  return {
    label: `$(law) ${vscode.l10n.t('Rule {0}', rule.id)}`,
    description: `${state} · ${vscode.l10n.t('uses: {0}', rule.uses.length)}`,
    detail: rule.text,
    act: () => showRule(engine, rule),
  };
}

async function showRule(engine: EngineHandle, rule: RuleView): Promise<void> {
  const uses = rule.uses.map((use) => `${use.at} · ${use.jobId ?? ''}: ${use.question}`);
  const detail = [rule.text, ...(uses.length === 0 ? [vscode.l10n.t('Not used yet.')] : uses)].join('\n');
  const revoke = { title: vscode.l10n.t('Revoke Rule') };
  const answer = await vscode.window.showInformationMessage(
    plainWords(vscode.l10n.t('Rule {0}', rule.id)),
    { modal: true, detail: plainWords(detail) },
    ...(rule.revokedAt === null ? [revoke] : []),
  );
  if (answer === revoke) await engine.request('revokeRule', { ruleId: rule.id });
}
