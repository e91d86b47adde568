/** Who did what, when and why, with what it was before and after. */
import type { AdminAudit } from '@parley/contract';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { client } from '../foundation/api/client.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { formatDateTime } from '../foundation/screen/format.ts';
import { Screen } from '../foundation/screen/screen.tsx';

type Entry = AdminAudit['rows'][number];

const ACT_NAMES: Readonly<Partial<Record<string, string>>> = {
  access_requested: 'asked to be let in',
  access_granted: 'let in',
  access_revoked: 'took access away',
  admin_granted: 'made an admin',
  admin_revoked: 'removed as an admin',
  plan_changed: 'changed the plan',
  signed_in: 'signed in',
  signed_out: 'signed out',
  deletion_requested: 'asked for the deletion of the account',
  deletion_withdrawn: 'kept the account',
  account_erased: 'erased the account',
  access_link_sent: 'sent a new link',
  mail_resent: 'sent a message again',
  address_corrected: 'corrected the address',
  settings_changed: 'changed the settings',
  second_factor_added: 'added an authenticator app',
  second_factor_removed: 'removed an authenticator app',
  class_created: 'made a class',
  class_changed: 'changed a class',
  class_archived: 'archived a class',
  class_restored: 'restored a class',
  pack_imported: 'imported a course pack',
  media_uploaded: 'uploaded a video',
  media_cover_changed: 'changed the cover of a video',
  content_update_dismissed: 'dismissed an update of the starter',
  content_deleted: 'deleted content',
  content_reverted: 'went back to an earlier version',
  content_preview_linked: 'made a preview link',
  content_withdrawn: 'withdrew',
  content_published: 'published',
  content_saved: 'saved a draft',
  content_created: 'made a draft',
};

const actOf = ({ act }: Entry): string => ACT_NAMES[act] ?? act.replaceAll('_', ' ');
const actorOf = ({ actor, actorId }: Entry): string =>
  actorId === null ? 'The server' : (actor ?? 'An erased account');
const SUBJECT_NAMES: Readonly<Partial<Record<string, string>>> = {
  learner: 'An erased account',
  settings: 'The school',
  class: 'A class',
  mail: 'A message',
  content: 'Content',
  media: 'A video',
};
const subjectOf = ({ subject, subjectKind }: Entry): string => subject ?? SUBJECT_NAMES[subjectKind] ?? subjectKind;

type State = Entry['before'];
const writeValue = (value: string | number | boolean | null | undefined): string =>
  value === null || value === undefined
    ? 'nothing'
    : typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : String(value);
const FIELD_NAMES: Readonly<Partial<Record<string, string>>> = {
  hasAccess: 'access',
  isAdmin: 'admin',
  contactEmail: 'contact address',
  timeZone: 'time zone',
  requiresSecondFactor: 'authenticator app required',
  dueAt: 'due',
  added: 'learners added',
  removed: 'learners removed',
  courseId: 'course taken back',
};

/** For example `access: no → yes`. */
function changeOf(before: State, after: State): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => {
      const [was, is] = [before?.[name], after?.[name]].map(writeValue);
      const change = before === null ? is : after === null ? was : `${was} → ${is}`;
      return `${FIELD_NAMES[name] ?? name}: ${change}`;
    })
    .join('; ');
}

const columns: readonly ListColumn<Entry>[] = [
  { id: 'at', title: 'When', sort: 'at', csv: ({ at }) => at, cell: ({ at }) => formatDateTime(at) },
  { id: 'actor', title: 'Who', csv: actorOf, cell: (row) => <bdi>{actorOf(row)}</bdi> },
  { id: 'act', title: 'What', csv: actOf, cell: actOf },
  {
    id: 'subject',
    title: 'About',
    csv: subjectOf,
    cell: (row) =>
      row.subjectKind === 'learner' && row.subject !== null ? (
        <Link to="/learners/$userId" params={{ userId: row.subjectId }}>
          <bdi>{row.subject}</bdi>
        </Link>
      ) : (
        <bdi>{subjectOf(row)}</bdi>
      ),
  },
  {
    id: 'change',
    title: 'Before and after',
    csv: ({ before, after }) => changeOf(before, after),
    cell: ({ before, after }) => <bdi>{changeOf(before, after) || '–'}</bdi>,
  },
  { id: 'reason', title: 'Why', csv: ({ reason }) => reason ?? '', cell: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
];

const FILTERS: readonly ListFilter[] = [
  {
    id: 'act',
    label: 'What',
    options: [
      { value: 'all', label: 'Everything' },
      ...Object.entries(ACT_NAMES).map(([value, label = value]) => ({
        value,
        label: label.charAt(0).toUpperCase() + label.slice(1),
      })),
    ],
  },
  {
    id: 'days',
    label: 'When',
    options: [
      { value: 'all', label: 'At any time' },
      { value: '1', label: 'The last 24 hours' },
      { value: '7', label: 'The last 7 days' },
      { value: '30', label: 'The last 30 days' },
    ],
  },
];

const DAY_MS = 24 * 3_600_000;

export function AuditScreen(): ReactElement {
  return (
    <Screen title="Audit log" intro="Every decision about a learner or the school. Entries cannot be changed.">
      <List<Entry>
        name="Audit log"
        noun={['entry', 'entries']}
        columns={columns}
        rowId={({ id }) => id}
        defaultSort={{ sort: 'at', direction: 'desc' }}
        queryKey={['audit']}
        filters={FILTERS}
        searchLabel="Person who acted or is concerned"
        load={({ sort: _only, ...request }, { act, days }) =>
          client.admin.audit({
            ...request,
            ...(act === undefined ? {} : { act }),
            ...(days === undefined ? {} : { from: new Date(Date.now() - Number(days) * DAY_MS).toISOString() }),
          })
        }
        empty={{ title: 'Nothing yet', text: 'Decisions appear here as soon as they are made.' }}
      />
    </Screen>
  );
}
