/** `rules`: rules that approve gates, their uses, and the rules that the record supports. */
import { ruleOffers } from '../../core/rule/offers.ts';
import { ruleViews } from '../../core/rule/ruleViews.ts';
import { offerText } from '../../core/rule/ruleWords.ts';
import { failure } from '../../shared/errors.ts';
import type { RuleOffer } from '../../shared/rule/rules.ts';
import type { RuleView } from '../../shared/rule/ruleViews.ts';
import { type Context, command, print, readState, request } from '../screen/context.ts';
import { plural } from '../text/format.ts';
import { parseId } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';

export async function rulesVerb(context: Context): Promise<number> {
  const state = await readState(context);
  const [rules, offers] = [ruleViews(state), ruleOffers(state)];
  const parts = [
    ...rules.map((rule) => ruleLines(context, rule)),
    ...offers.map((offer) => offerLines(context, offer)),
  ];
  const text = parts.length === 0 ? 'No rules, and none is offered.' : parts.join('\n\n');
  print(context, { rules, offers }, text);
  return 0;
}

function ruleLines(context: Context, { id, text, approved, createdAt, revokedAt, uses }: RuleView): string {
  const state = revokedAt === null ? `in force since ${createdAt}` : `revoked at ${revokedAt}`;
  return [
    `${context.paint(`Rule ${id}`, revokedAt === null ? 'strong' : 'faint')}: ${visibleLine(text)}`,
    `  ${state}, after ${plural(approved, 'approval')}; used ${plural(uses.length, 'time')}`,
    ...uses.map(
      (use) => `  ${use.at} question ${use.questionId}, job ${use.jobId ?? '-'}: ${visibleLine(use.question)}`,
    ),
    ...(revokedAt === null ? [`  To revoke it: ${command(context, `rules revoke ${id}`)}`] : []),
  ].join('\n');
}

function offerLines(context: Context, offer: RuleOffer): string {
  return [
    `${context.paint('Offered', 'strong')}: ${visibleLine(offerText(offer))}`,
    `  To create the rule: ${command(context, `rules create ${offer.id}`)}`,
  ].join('\n');
}

export async function createRuleVerb(context: Context, id: string): Promise<number> {
  const offer = ruleOffers(await readState(context)).find((one) => one.id === id);
  if (offer === undefined)
    throw failure('NOT_FOUND', `no rule ${visibleLine(id)} is offered`, { hint: `See: ${command(context, 'rules')}` });
  const { ruleId } = await request(context, 'createRule', { offer: id, text: offer.text });
  const revoke = `To revoke it: ${command(context, `rules revoke ${ruleId}`)}`;
  print(context, { rule: { id: ruleId, text: offer.text } }, `Rule ${ruleId}: ${visibleLine(offer.text)}\n${revoke}`);
  return 0;
}

export async function revokeRuleVerb(context: Context, id: string): Promise<number> {
  const ruleId = parseId(id, 'rule');
  await request(context, 'revokeRule', { ruleId });
  print(context, { rule: { id: ruleId, revoked: true } }, `Rule ${ruleId} is revoked.`);
  return 0;
}
