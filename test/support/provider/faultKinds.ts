/** The kinds of faults, where each may strike, and what the specification wants of the session then. */
import type { Break, Mishap } from './mishaps.ts';
import type { ModelAnswer, Stage } from './modelAnswers.ts';

/** How a session is to come out of a fault that strikes often enough; struck less often, it answers. */
export type Required =
  /** It is tried again by the gateway; of a call that never gets through the job waits until a time. */
  | { readonly after: 6; readonly outcome: 'unavailable'; readonly code: 'MODEL_UNAVAILABLE' }
  /** Longer than a call waits: the job waits, at once. */
  | { readonly after: 1; readonly outcome: 'unavailable'; readonly code: 'MODEL_UNAVAILABLE' }
  /** Nothing of the answer counts and the same is asked again; then the job waits. */
  | { readonly after: 4; readonly outcome: 'unavailable'; readonly code: 'MODEL_STREAM_BROKEN' }
  /** Only a person can help. */
  | {
      readonly after: 1;
      readonly outcome: 'asks';
      readonly code: 'KEY_REFUSED' | 'NO_CREDIT' | 'MODEL_REQUEST_REFUSED';
    }
  /** The model is told once, or not at all; then the attempt ends with this reason. */
  | {
      readonly after: 1 | 2;
      readonly outcome: 'ended';
      readonly reason: 'truncated' | 'context_full' | 'refusal' | 'unknown_stop' | 'no_report';
    }
  /** It is a whole answer. */
  | { readonly after: null };

export interface Strike {
  readonly mishap: Mishap;
  readonly required: Required;
}

/** Where a fault strikes. */
export interface Place {
  /** 0 to 11: after so many events, or what else the kind makes of it. */
  readonly position: number;
  readonly stage: Stage;
  /** Whether the role answers in plain text, without tools. */
  readonly plain: boolean;
}

export const POSITIONS = 12;
/** Events of an answer. */
const EVENTS = 11;

const RETRIED = { after: 6, outcome: 'unavailable', code: 'MODEL_UNAVAILABLE' } as const;
const WAITS = { after: 1, outcome: 'unavailable', code: 'MODEL_UNAVAILABLE' } as const;
const BROKEN = { after: 4, outcome: 'unavailable', code: 'MODEL_STREAM_BROKEN' } as const;
const WHOLE = { after: null } as const;

type Kind = (place: Place) => Strike;

const status = (
  code: number,
  type: string,
  required: Required,
  more: Partial<Mishap & { at: 'status' }> = {},
): Kind => {
  const strike: Strike = { mishap: { at: 'status', status: code, type, ...more }, required };
  return () => strike;
};

const limited = (headers: Record<string, string>, required: Required = RETRIED): Kind =>
  status(429, 'rate_limit_error', required, { headers });

const address = (where: (Mishap & { at: 'address' })['address']): Kind => {
  const strike: Strike = { mishap: { at: 'address', address: where }, required: RETRIED };
  return () => strike;
};

/** Once its last event is there the answer is whole, whatever comes then. Without headers it is no stream yet. */
const breaks =
  (then: Break): Kind =>
  ({ position: after }) => {
    const isStream = after > 0 || then !== 'silence';
    return { mishap: { at: 'stream', after, then }, required: after >= EVENTS ? WHOLE : isStream ? BROKEN : RETRIED };
  };

const odd =
  (change: (answer: ModelAnswer, place: Place) => ModelAnswer, required: (place: Place) => Required): Kind =>
  (place) => ({ mishap: { at: 'answer', change: (answer) => change(answer, place) }, required: required(place) });

const ended = (reason: Extract<Required, { outcome: 'ended' }>['reason'], after: 1 | 2): Required => ({
  after,
  outcome: 'ended',
  reason,
});

const STOPS = ['end_turn', 'stop_sequence', 'max_tokens', 'model_context_window_exceeded', 'pause_turn', 'tool_use'];
const stopAt = ({ position }: Place): string => STOPS[position % STOPS.length] ?? '';
/** The second half of the places has no call in the answer. */
const calls = ({ position, plain }: Place): boolean => !plain && position < POSITIONS / 2;
const withoutCalls = (answer: ModelAnswer): ModelAnswer => ({
  ...answer,
  blocks: answer.blocks.filter(({ type }) => type === 'text'),
});

function afterStop(place: Place): Required {
  switch (stopAt(place)) {
    case 'max_tokens':
      return ended('truncated', 2);
    case 'model_context_window_exceeded':
      return ended('context_full', 2);
    case 'pause_turn':
      return calls(place) ? ended('unknown_stop', 1) : WHOLE;
    case 'tool_use':
      return calls(place) || place.plain ? WHOLE : ended('no_report', 2);
    default:
      if (calls(place)) return ended('truncated', 2);
      return place.plain ? WHOLE : ended('no_report', 2);
  }
}

const UNKNOWN_STOPS = ['something_new', null, 'END_TURN', 'toString'];

export const FAULT_KINDS = {
  '429 without Retry-After': limited({}),
  '429 with a small Retry-After': limited({ 'retry-after': '1' }),
  '429 with a large Retry-After': limited({ 'retry-after': '45' }),
  '429 with a huge Retry-After': limited({ 'retry-after': '7200' }, WAITS),
  '529 before the answer': status(529, 'overloaded_error', RETRIED),
  '500': status(500, 'api_error', RETRIED),
  '502 with a page of HTML': status(502, '', RETRIED, { html: true }),
  '401': status(401, 'authentication_error', { after: 1, outcome: 'asks', code: 'KEY_REFUSED' }),
  '402': status(402, 'billing_error', { after: 1, outcome: 'asks', code: 'NO_CREDIT' }),
  '403': status(403, 'permission_error', { after: 1, outcome: 'asks', code: 'KEY_REFUSED' }),
  '404': status(404, 'not_found_error', { after: 1, outcome: 'asks', code: 'MODEL_REQUEST_REFUSED' }),
  '413': status(413, 'request_too_large', { after: 1, outcome: 'asks', code: 'MODEL_REQUEST_REFUSED' }),
  'a prompt that is too long': status(
    400,
    'invalid_request_error',
    { after: 1, outcome: 'asks', code: 'MODEL_REQUEST_REFUSED' },
    { message: 'prompt is too long: 212345 tokens > 200000 maximum' },
  ),
  'a spend limit told as 429': status(
    429,
    'rate_limit_error',
    { after: 1, outcome: 'asks', code: 'NO_CREDIT' },
    { message: 'You have reached your monthly spend limit.' },
  ),
  'refused connection': address('refused'),
  'TLS failure': address('tls'),
  'DNS failure': address('dns'),
  'reset before the answer': () => ({ mishap: { at: 'request' }, required: RETRIED }),
  '529 in the stream': breaks('overloaded'),
  'cut stream': breaks('cut'),
  'cut inside an event': breaks('cutInside'),
  'reset in the stream': breaks('reset'),
  silence: breaks('silence'),
  'slow loris': breaks('dribble'),
  'malformed SSE': breaks('notUtf8'),
  'malformed JSON': breaks('notJson'),
  'gzip cut': ({ position }) => ({ mishap: { at: 'gzip', twelfths: position }, required: BROKEN }),
  'several cumulative message_delta': odd(
    (answer, { position }) => {
      const last = answer.outputs.at(-1) ?? 0;
      const before = Array.from({ length: position + 1 }, (_, index) => Math.floor((last * (index + 1)) / 14));
      return { ...answer, outputs: [...before, last] };
    },
    () => WHOLE,
  ),
  refusal: odd(
    (answer, place) => ({ ...(calls(place) ? answer : withoutCalls(answer)), stopReason: 'refusal' }),
    () => ended('refusal', 1),
  ),
  'each stop reason': odd(
    (answer, place) => ({
      ...(calls(place) || place.plain ? answer : withoutCalls(answer)),
      stopReason: stopAt(place),
    }),
    afterStop,
  ),
  'unknown stop reason': odd(
    (answer, place) => ({
      ...(calls(place) ? answer : withoutCalls(answer)),
      stopReason: UNKNOWN_STOPS[place.position % UNKNOWN_STOPS.length] ?? null,
    }),
    () => ended('unknown_stop', 1),
  ),
  'unknown events': ({ position: after }) => ({ mishap: { at: 'events', after }, required: WHOLE }),
  'empty answer': odd(
    (answer) => ({ ...answer, blocks: [], stopReason: 'end_turn' }),
    () => ended('no_report', 2),
  ),
  'empty pause': odd(
    (answer) => ({ ...answer, blocks: [], stopReason: 'pause_turn' }),
    () => ended('no_report', 2),
  ),
  'duplicate tool ids': odd(
    (answer, { position, stage }) => {
      const call = answer.blocks.find((block) => block.type === 'tool_use');
      if (call === undefined) return answer;
      const again = stage === 'work' && call.name === 'bash' ? { command: `twin ${position}` } : call.input;
      return { ...answer, blocks: [...answer.blocks, { ...call, input: again }] };
    },
    () => WHOLE,
  ),
  'stream that ends early': breaks('ended'),
} as const satisfies Readonly<Record<string, Kind>>;

export type FaultKind = keyof typeof FAULT_KINDS;
export const KINDS = Object.keys(FAULT_KINDS) as FaultKind[];
