/** The process of a device: does what the run asks, and answers only when the store's transaction has returned. */
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BACKUP_EVERY_MS } from '../../../../desktop/src/host/store/index.ts';
import { listBackups } from '../../../../desktop/src/host/store/backup.ts';
import { type Command, type Edit, type Edited, type Opened, type Reply, Request, type Synced } from '../messages.ts';
import { applyEdit } from './apply-edit.ts';
import { type OpenDevice, openDevice } from './open-device.ts';
import { readOutbox, waitingIds } from './outbox.ts';

/** SQLite's own default. */
const NO_LIMIT_PAGES = 4_294_967_294;

let device: OpenDevice | null = null;
let skewMs = 0;
const now = (): Date => new Date(Date.now() + skewMs);

function opened(): OpenDevice {
  if (device === null) throw new Error('the device is not open');
  return device;
}

const describe = ({ store }: OpenDevice): Opened => ({
  ...store.identity(),
  restoredFromMs: store.restoredFrom?.getTime() ?? null,
  outbox: readOutbox(store),
});

async function act(command: Command): Promise<unknown> {
  switch (command.type) {
    case 'open':
      skewMs = command.skewMs;
      device = await openDevice({ ...command, now });
      return describe(device);
    case 'edit':
      return editAt(command.ageMs, command.edit);
    case 'sync': {
      const { state } = await opened().sync.run();
      return { state, waiting: waitingIds(opened().store) } satisfies Synced;
    }
    case 'skew':
      skewMs = command.skewMs;
      return {};
    case 'backUp':
      await backUp();
      return {};
    case 'limitDisk':
      limitDisk(command.pages);
      return {};
    case 'createLinkCode': {
      const made = await opened().sync.ask((client) => client.devices.createLinkCode({}));
      return made.ok ? { code: made.value.code, failure: null } : { code: null, failure: made.error.code };
    }
    case 'join': {
      const joined = await opened().sync.moveTo((client, device) =>
        client.devices.join({ code: command.code, ...device }),
      );
      return { failure: joined.ok ? null : joined.error.code, opened: describe(opened()) };
    }
    case 'close':
      await device?.close();
      device = null;
      return {};
    case 'practise':
      skewMs = command.skewMs;
      return hold(command);
  }
}

/** Nothing else runs meanwhile, so nothing else sees the clock that was set back. */
function editAt(ageMs: number, edit: Edit): Edited {
  skewMs -= ageMs;
  try {
    return applyEdit(opened().store, edit);
  } finally {
    skewMs += ageMs;
  }
}

async function hold(command: Extract<Command, { type: 'practise' }>): Promise<unknown> {
  try {
    // The whole host takes a while to load, and few devices need it.
    const { practise } = await import('./practise.ts');
    return { sessionId: await practise({ ...command, now }), failure: null };
  } catch (error) {
    return { sessionId: null, failure: error instanceof Error ? String(error.stack) : String(error) };
  }
}

/** The last backup is made a day older, so that the next is due; the clock stays as it is, since a sync may be under way. */
async function backUp(): Promise<void> {
  const { store } = opened();
  for (const { file, takenAt } of listBackups(store.dataDir)) {
    const older = new Date(takenAt.getTime() - BACKUP_EVERY_MS).toISOString().replaceAll(':', '-').replace('.', '-');
    renameSync(file, join(dirname(file), `parley-${older}.sqlite`));
  }
  await store.backUpIfDue();
}

function limitDisk(pages: number | null): void {
  const { sqlite } = opened().store;
  const used = Number(sqlite.pragma('page_count', { simple: true }));
  sqlite.pragma(`max_page_count = ${pages === null ? NO_LIMIT_PAGES : used + pages}`);
}

const send = (reply: Reply): void => void process.send?.(reply);

process.on('message', (message) => {
  const { id, command } = Request.parse(message);
  act(command).then(
    (value) => send({ id, ok: true, value }),
    (error: unknown) => send({ id, ok: false, error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});
process.on('disconnect', () => process.exit(1));
