/** Simulates a node that dies while it sends mails, before their outcome is stored. */
import { setImmediate as soon } from 'node:timers/promises';
import type { Database } from '../../../sync-server/src/db/client.ts';
import type { YearNode } from './fixture.ts';
import type { SimulatedYear } from './simulated-year.ts';

export async function crashWhileSending({ random, fixture, findings }: SimulatedYear, node: YearNode): Promise<void> {
  const when = random.pick(['before', 'after']);
  const abortController = new AbortController();
  let taken = 0;
  let died = 0;
  const line = watchTransactions(fixture.db);
  let isOver = false;
  const dying = fixture.mailOracle.crashingTransport({
    when,
    died: () => {
      died += 1;
      findings.counts.crashes += 1;
      abortController.abort();
    },
  });
  const transport = {
    name: dying.name,
    send: (mail: Parameters<typeof dying.send>[0]) => {
      taken += 1;
      return dying.send(mail);
    },
  };
  void node
    .createMailOver(transport, line.db)
    .sendDue({ signal: abortController.signal })
    .then(() => {
      isOver = true;
    });
  // Several mails are sent in parallel. The clock is stopped until the last of them has died.
  while (!isOver && (died === 0 || died < taken || line.open() > 0)) await soon();
}

/** Wraps the database to count its open transactions. */
function watchTransactions(db: Database): { db: Database; open: () => number } {
  let open = 0;
  const transaction: Database['transaction'] = async (work, config) => {
    open += 1;
    try {
      return await db.transaction(work, config);
    } finally {
      // Lets the code after the transaction run before it counts as closed.
      await soon();
      open -= 1;
    }
  };
  const proxy = new Proxy(db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  });
  return { db: proxy, open: () => open };
}
