/** What a script within the page could try, to tell somebody outside: each way asks for a path of its own. Runs in the page. */
export const WAYS = [
  'image',
  'fetch',
  'xhr',
  'beacon',
  'events',
  'socket',
  'frame',
  'object',
  'embed',
  'style',
  'script',
  'module',
  'worker',
  'font',
  'background',
  'video',
  'track',
  'manifest',
  'svg',
] as const;

/** Self-contained: it crosses into the page as text. Resolves when each was tried. */
export async function tryToLoad(origin: string): Promise<string[]> {
  const ran: string[] = [];
  const add = (tag: string, attributes: Readonly<Record<string, string>>): void => {
    const one = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    document.body.append(one);
  };
  const ways: Readonly<Record<string, (url: string) => unknown>> = {
    image: (src) => add('img', { src }),
    fetch: (url) => fetch(url, { mode: 'no-cors' }).catch(() => undefined),
    xhr: (url) => {
      const request = new XMLHttpRequest();
      request.open('GET', url);
      request.send();
    },
    beacon: (url) => navigator.sendBeacon(url, 'x'),
    events: (url) => new EventSource(url),
    socket: (url) => new WebSocket(url.replace('http', 'ws')),
    frame: (src) => add('iframe', { src }),
    object: (data) => add('object', { data }),
    embed: (src) => add('embed', { src }),
    style: (href) => add('link', { rel: 'stylesheet', href }),
    script: (src) => add('script', { src }),
    module: (src) => add('script', { src, type: 'module' }),
    worker: (url) => new Worker(url),
    font: (url) => new FontFace('other', `url(${url})`).load().catch(() => undefined),
    background: (url) => {
      document.body.style.backgroundImage = `url(${url})`;
    },
    video: (src) => add('video', { src }),
    track: (href) => add('link', { rel: 'preload', as: 'image', href }),
    manifest: (href) => add('link', { rel: 'manifest', href }),
    svg: (href) => {
      document.body.insertAdjacentHTML('beforeend', `<svg><image href="${href}"/></svg>`);
    },
  };
  for (const [name, go] of Object.entries(ways)) {
    try {
      await go(`${origin}/${name}`);
    } catch (thrown) {
      ran.push(`${name}: ${String(thrown)}`);
    }
  }
  // What is refused is refused by then; what is not, is on its way.
  const settled = document.createElement('p');
  settled.textContent = 'tried';
  document.body.append(settled);
  await new Promise((later) => requestAnimationFrame(() => setTimeout(later, 300)));
  return ran;
}
