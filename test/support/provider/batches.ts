/** The batches of the server: each is processed when it is created, and shown as processed unless it is held. */

interface Answered {
  readonly ok: boolean;
  readonly body: object;
}

interface Given {
  readonly status: number;
  readonly text: string;
}

interface Creation {
  readonly requests: readonly { readonly custom_id: string; readonly params: object }[];
}

export class ServedBatches {
  /** Whether batches are shown as in progress. */
  held = false;
  /** Bodies of the requests in batches, in the order of their creation. */
  readonly created: string[] = [];
  /** Numbers of the batches whose state was asked for: their clients have stored the id. */
  readonly asked = new Set<number>();
  readonly #lines: string[] = [];
  readonly #answer: (body: string) => Answered;

  constructor(answer: (body: string) => Answered) {
    this.#answer = answer;
  }

  /** Null if the path is none of batches. */
  answer(method: string, target: string, body: string): Given | null {
    const path = target.split('?', 1)[0] ?? '';
    if (!path.startsWith('/v1/messages/batches')) return null;
    if (method === 'POST') return this.#create(JSON.parse(body) as Creation);
    const [, at, results] = /^\/v1\/messages\/batches\/msgbatch_(\d+)(\/results)?$/.exec(path) ?? [];
    const lines = this.#lines[Number(at)];
    if (lines === undefined) return { status: 404, text: '{}' };
    this.asked.add(Number(at));
    return { status: 200, text: results === undefined ? this.#state(Number(at)) : lines };
  }

  #create({ requests }: Creation): Given {
    const lines = requests.map(({ custom_id, params }) => {
      const sent = JSON.stringify(params);
      this.created.push(sent);
      const { ok, body } = this.#answer(sent);
      const result = ok ? { type: 'succeeded', message: body } : { type: 'errored', error: body };
      return JSON.stringify({ custom_id, result });
    });
    const at = this.#lines.push(lines.join('\n')) - 1;
    return { status: 200, text: this.#state(at) };
  }

  #state(at: number): string {
    const processing_status = this.held ? 'in_progress' : 'ended';
    return JSON.stringify({ id: `msgbatch_${at}`, type: 'message_batch', processing_status });
  }
}
