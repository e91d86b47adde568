/** Persists the fake's state in a file, for a development server that restarts. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyState, type State } from './state.ts';

const FILE = 'stripe-fake.json';
/** A file of another version is ignored, and the fake starts empty. */
const STATE_VERSION = 1;

export function loadState(dir: string): State {
  try {
    const stored = JSON.parse(readFileSync(join(dir, FILE), 'utf8')) as { form: number; state: State };
    return stored.form === STATE_VERSION ? { ...emptyState(), ...stored.state } : emptyState();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState();
    throw new Error(`The Stripe fake cannot read ${join(dir, FILE)}; remove it to start again.`, { cause: error });
  }
}

/** The file is replaced by renaming a new one, so that a crash leaves one of the two intact. */
export function saveState(dir: string, state: State): void {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, FILE);
  writeFileSync(`${file}.new`, JSON.stringify({ form: STATE_VERSION, state }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Rewrites stored URLs if the fake listens on a different port than before. */
export function rewriteUrls({ tables, ...state }: State, url: string): void {
  const rewrite = (was: string): string => was.replace(state.url, url);
  for (const session of Object.values(tables['checkout.session']))
    if (session.url !== null) session.url = rewrite(session.url);
  for (const session of Object.values(tables['billing_portal.session'])) session.url = rewrite(session.url);
  for (const invoice of Object.values(tables.invoice)) {
    if (typeof invoice.hosted_invoice_url === 'string')
      invoice.hosted_invoice_url = rewrite(invoice.hosted_invoice_url);
    if (typeof invoice.invoice_pdf === 'string') invoice.invoice_pdf = rewrite(invoice.invoice_pdf);
  }
}

const IDEMPOTENCY_KEY_TTL_S = 24 * 3_600;
const EVENT_TTL_S = 30 * 24 * 3_600;

/** Deletes what Stripe itself deletes after these times. */
export function deleteExpired({ answersByKey, tables: { event } }: State, nowS: number): void {
  for (const [key, { atS }] of Object.entries(answersByKey))
    if (atS < nowS - IDEMPOTENCY_KEY_TTL_S) delete answersByKey[key];
  for (const [id, { created }] of Object.entries(event)) if (created < nowS - EVENT_TTL_S) delete event[id];
}
