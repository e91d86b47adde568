/** A browser for tests of the server's pages: it keeps cookies and submits forms as they are shown. */
import type { LightMyRequestResponse } from 'fastify';
import type { TestServer } from './server.ts';

const SITE = 'parley.example';

export interface Page {
  status: number;
  text: string;
  headers: LightMyRequestResponse['headers'];
  /** The whole Set-Cookie headers of this response. */
  cookies: string[];
  location: string | undefined;
}

export interface Browser {
  get: (url: string, options?: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> }) => Promise<Page>;
  /** Submits the page's form with this action. */
  submit: (
    page: Page,
    action: string,
    options?: { fields?: Record<string, string>; headers?: Record<string, string> },
  ) => Promise<Page>;
  post: (url: string, fields: Record<string, string>, headers?: Record<string, string>) => Promise<Page>;
  /** Cookies by name. */
  cookieJar: Map<string, string>;
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
        // A browser sends this for a form on a page without a referrer.
        origin: 'null',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  return {
    cookieJar: jar,
    post,
    get: (url, { method = 'GET', headers = {} } = {}) => send(method, url, { headers }),
    submit: (page, action, { fields = {}, headers = {} } = {}) =>
      post(action, { ...fieldsOf(page.text, action), ...fields }, headers),
  };
}

/** The hidden fields of the form with this action. */
function fieldsOf(text: string, action: string): Record<string, string> {
  const form = [...text.matchAll(/<form method="post" action="([^"]+)">(.*?)<\/form>/gs)].find(
    ([, to]) => to === action,
  )?.[2];
  if (form === undefined) throw new Error(`the page has no form for ${action}`);
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)" ?\/?>/g)].map(([, name, value]) => [
      String(name),
      String(value),
    ]),
  );
}
