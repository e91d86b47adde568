/** Keeps the state in a file, for a development server that is started again. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyState, type State } from './state.ts';

const FILE = 'stripe-twin.json';
/** Another form of the state is another twin: it begins anew. */
const FORM = 1;

export function loadState(dir: string): State {
  try {
    const kept = JSON.parse(readFileSync(join(dir, FILE), 'utf8')) as { form: number; state: State };
    return kept.form === FORM ? { ...emptyState(), ...kept.state } : emptyState();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState();
    throw new Error(`The Stripe twin cannot read ${join(dir, FILE)}; remove it to begin anew.`, { cause: error });
  }
}

/** A whole new file takes the place of the old one, so that a crash leaves one of the two. */
export function saveState(dir: string, state: State): void {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, FILE);
  writeFileSync(`${file}.new`, JSON.stringify({ form: FORM, state }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Of a twin that listens at another port than before. */
export function moveUrls({ tables, ...state }: State, url: string): void {
  const moved = (was: string): string => was.replace(state.url, url);
  for (const session of Object.values(tables['checkout.session']))
    if (session.url !== null) session.url = moved(session.url);
  for (const session of Object.values(tables['billing_portal.session'])) session.url = moved(session.url);
  for (const invoice of Object.values(tables.invoice)) {
    if (typeof invoice.hosted_invoice_url === 'string') invoice.hosted_invoice_url = moved(invoice.hosted_invoice_url);
    if (typeof invoice.invoice_pdf === 'string') invoice.invoice_pdf = moved(invoice.invoice_pdf);
  }
}

const KEYS_KEPT_S = 24 * 3_600;
const EVENTS_KEPT_S = 30 * 24 * 3_600;

/** What Stripe forgets as well. */
export function forgetOld({ answersByKey, tables: { event } }: State, nowS: number): void {
  for (const [key, { atS }] of Object.entries(answersByKey)) if (atS < nowS - KEYS_KEPT_S) delete answersByKey[key];
  for (const [id, { created }] of Object.entries(event)) if (created < nowS - EVENTS_KEPT_S) delete event[id];
}
