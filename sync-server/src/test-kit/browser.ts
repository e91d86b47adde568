/** A browser at the server's pages: keeps cookies as they are set, and fills in forms as they are shown. */
import type { LightMyRequestResponse } from 'fastify';
import type { TestServer } from './server.ts';

const SITE = 'parley.example';

export interface Page {
  status: number;
  text: string;
  headers: LightMyRequestResponse['headers'];
  /** As they were set by this answer, whole. */
  cookies: string[];
  location: string | undefined;
}

export interface Browser {
  get: (url: string, options?: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> }) => Promise<Page>;
  /** Presses the button of the form on a page that goes to `action`. */
  submit: (
    page: Page,
    action: string,
    options?: { fields?: Record<string, string>; headers?: Record<string, string> },
  ) => Promise<Page>;
  post: (url: string, fields: Record<string, string>, headers?: Record<string, string>) => Promise<Page>;
  /** By name. */
  jar: Map<string, string>;
}

export function openBrowser(server: TestServer): Browser {
  const jar = new Map<string, string>();
  const send = async (
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    { headers = {}, payload }: { headers?: Record<string, string>; payload?: string },
  ): Promise<Page> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await server.app.inject({
      method,
      url,
      headers: { host: SITE, 'user-agent': 'A browser', ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    for (const set of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0(;|$)/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    const { statusCode: status, payload: text, headers: answered } = answer;
    return { status, text, headers: answered, cookies, location: answered.location };
  };
  const post: Browser['post'] = (url, fields, headers = {}) =>
    send('POST', url, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        // What a browser says of a form on a page that sends no referrer.
        origin: 'null',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  return {
    jar,
    post,
    get: (url, { method = 'GET', headers = {} } = {}) => send(method, url, { headers }),
    submit: (page, action, { fields = {}, headers = {} } = {}) =>
      post(action, { ...fieldsOf(page.text, action), ...fields }, headers),
  };
}

/** The hidden fields of the form that goes to `action`. */
function fieldsOf(text: string, action: string): Record<string, string> {
  const form = [...text.matchAll(/<form method="post" action="([^"]+)">(.*?)<\/form>/gs)].find(
    ([, to]) => to === action,
  )?.[2];
  if (form === undefined) throw new Error(`no form to ${action}`);
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)" ?\/?>/g)].map(([, name, value]) => [
      String(name),
      String(value),
    ]),
  );
}
