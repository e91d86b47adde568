/** A node that takes mails, hands them over or is about to, and is gone before it has written down what became of them. */
import { setImmediate as soon } from 'node:timers/promises';
import type { Database } from '../../db/client.ts';
import type { YearNode } from './stage.ts';
import type { Year } from './year.ts';

export async function dieSending({ chance, stage, findings }: Year, node: YearNode): Promise<void> {
  const when = chance.pick(['before', 'after']);
  const death = new AbortController();
  let taken = 0;
  let died = 0;
  const line = watched(stage.db);
  let isOver = false;
  const dying = stage.post.dyingTransport({
    when,
    died: () => {
      died += 1;
      findings.counts.crashes += 1;
      death.abort();
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
    .mailOver(transport, line.db)
    .sendDue(death.signal)
    .then(() => {
      isOver = true;
    });
  // Several are taken at once: the clock stands until the last of them is where it dies.
  while (!isOver && (died === 0 || died < taken || line.open() > 0)) await soon();
}

/** The same database, by which one can see whether anything is under way. */
function watched(db: Database): { db: Database; open: () => number } {
  let open = 0;
  const transaction: Database['transaction'] = async (work, config) => {
    open += 1;
    try {
      return await db.transaction(work, config);
    } finally {
      // Whoever waited for it takes the next step first.
      await soon();
      open -= 1;
    }
  };
  const proxy = new Proxy(db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  });
  return { db: proxy, open: () => open };
}
