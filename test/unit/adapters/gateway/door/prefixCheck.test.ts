import { expect, it } from 'vitest';
import { PrefixCheck } from '../../../../../src/adapters/gateway/door/prefixCheck.ts';
import { CONVERSATION_HEADER, type ModelRequest } from '../../../../../src/engine/session/gatewayPorts.ts';

const text = (value: string, mark = false) => ({
  type: 'text',
  text: value,
  ...(mark ? { cache_control: { type: 'ephemeral' } } : {}),
});

const BODY = {
  model: 'm',
  system: [text('s')],
  tools: [{ name: 'read' }],
  messages: [{ role: 'user', content: [text('a', true)] }],
};

const ask = (body: object, sessionId = 1, conversation: string | null = '0'): ModelRequest => ({
  sessionId,
  path: '/v1/messages',
  method: 'POST',
  headers: conversation === null ? {} : { [CONVERSATION_HEADER]: conversation },
  body: JSON.stringify(body),
});

const grown = {
  ...BODY,
  messages: [
    { role: 'user', content: [text('a'), text('more')] },
    { role: 'assistant', content: [text('b')] },
    { role: 'user', content: [text('c', true)] },
  ],
};

it('takes a conversation that only grows, wherever its cache marks are', () => {
  const check = new PrefixCheck();
  expect([BODY, BODY, grown, grown].map((body) => check.take(ask(body)))).toEqual([null, null, null, null]);
});

it.each([
  ['model', { ...grown, model: 'n' }],
  ['tools[0]', { ...grown, tools: [{ name: 'write' }] }],
  ['system[0]', { ...grown, system: [text('t')] }],
  ['messages[0].content[1]', { ...grown, messages: [BODY.messages[0], ...grown.messages.slice(1)] }],
  ['its end, after 5 of 10 parts', BODY],
])('names the first difference: %s', (place, changed) => {
  const check = new PrefixCheck();
  check.take(ask(grown));
  const fault = check.take(ask(changed));
  if (place === 'messages[0].content[1]') expect(fault).toMatch(/at messages\[1\]\.role$/);
  else expect(fault).toContain(`at ${place}`);
  expect(check.take(ask(changed)), 'a change is reported once').toBeNull();
});

it('does not compare sessions, conversations, nor callers that may change their history', () => {
  const check = new PrefixCheck();
  check.take(ask(grown));
  expect(check.take(ask(BODY, 2))).toBeNull();
  expect(check.take(ask(BODY, 1, 'another'))).toBeNull();
  expect(check.take(ask(grown, 1, null))).toBeNull();
  expect(check.take(ask(BODY, 1, null))).toBeNull();
});
