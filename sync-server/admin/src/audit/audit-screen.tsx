/** The audit log: who did what, when and why, with the values before and after. */
import { t } from '@parley/i18n';
import type { AdminAudit } from '@parley/contract';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { client } from '../foundation/api/client.ts';
import { csvTime } from '../foundation/list/csv.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { Moment } from '../foundation/list/moment.tsx';
import { LongWord } from '../foundation/list/long-word.tsx';
import { capitalise } from '../foundation/screen/format.ts';
import { Screen } from '../foundation/screen/screen.tsx';
import { auditPeriod } from './audit-period.ts';
import { describeChange } from './describe-change.ts';

type Entry = AdminAudit['rows'][number];

const ACT_NAMES: Readonly<Partial<Record<string, string>>> = {
  access_requested: t('asked for access'),
  access_granted: t('gave access'),
  access_revoked: t('ended access'),
  admin_granted: t('made an admin'),
  admin_revoked: t('removed as an admin'),
  plan_changed: t('changed the plan'),
  signed_in: t('signed in'),
  signed_out: t('signed out'),
  device_wipe_requested: t('signed a device out and asked it to delete its data'),
  device_wiped: t('deleted the data on a device'),
  deletion_requested: t('requested account deletion'),
  deletion_withdrawn: t('kept the account'),
  account_erased: t('erased the account'),
  access_link_sent: t('sent a new link'),
  mail_resent: t('sent an e-mail again'),
  address_corrected: t('corrected the address'),
  settings_changed: t('changed the settings'),
  site_text_saved: t('saved a draft of a site text'),
  site_text_published: t('published a site text'),
  site_text_taken_back: t('reverted to Parley’s site text'),
  records_deleted: t('deleted old records'),
  second_factor_added: t('added an authenticator app'),
  second_factor_removed: t('removed an authenticator app'),
  class_created: t('created a class'),
  class_changed: t('changed a class'),
  class_joined: t('added to a class'),
  class_left: t('removed from a class'),
  class_archived: t('archived a class'),
  class_restored: t('restored a class'),
  report_closed: t('closed a report about'),
  pack_imported: t('imported a course pack'),
  media_uploaded: t('uploaded a file'),
  media_cover_changed: t('changed the cover of a video'),
  content_update_dismissed: t('dismissed an update of the starter catalogue'),
  content_deleted: t('deleted content'),
  content_reverted: t('went back to an earlier version'),
  content_preview_linked: t('created a preview link'),
  content_withdrawn: t('withdrew'),
  content_unscheduled: t('couldn’t publish as scheduled'),
  content_published: t('published'),
  content_saved: t('saved a draft'),
  content_created: t('created a draft'),
};

const actOf = ({ act }: Entry): string => ACT_NAMES[act] ?? act.replaceAll('_', ' ');
const actorOf = ({ actor, actorId }: Entry): string =>
  actorId === null ? t('The server') : (actor ?? t('An erased account'));
const SUBJECT_NAMES: Readonly<Partial<Record<string, string>>> = {
  learner: t('An erased account'),
  settings: t('The school'),
  class: t('A class'),
  mail: t('An e-mail'),
  content: t('Content'),
  media: t('A file'),
};
const subjectOf = ({ subject, subjectKind }: Entry): string => subject ?? SUBJECT_NAMES[subjectKind] ?? subjectKind;

const columns: readonly ListColumn<Entry>[] = [
  { id: 'at', title: t('When'), sort: 'at', csv: ({ at }) => csvTime(at), cell: ({ at }) => <Moment at={at} /> },
  { id: 'actor', title: t('Who'), csv: actorOf, cell: (row) => <LongWord>{actorOf(row)}</LongWord> },
  { id: 'act', title: t('What'), csv: actOf, cell: actOf },
  {
    id: 'subject',
    title: t('About'),
    csv: subjectOf,
    cell: (row) =>
      row.subjectKind === 'learner' && row.subject !== null ? (
        <Link to="/learners/$userId" params={{ userId: row.subjectId }}>
          <LongWord>{row.subject}</LongWord>
        </Link>
      ) : (
        <bdi>{subjectOf(row)}</bdi>
      ),
  },
  {
    id: 'change',
    title: t('Before and after'),
    csv: describeChange,
    cell: (row) => <bdi>{describeChange(row) || '–'}</bdi>,
  },
  {
    id: 'reason',
    title: t('Why'),
    csv: ({ reason }) => reason ?? '',
    cell: ({ reason }) => <LongWord>{reason ?? '–'}</LongWord>,
  },
];

const FILTERS: readonly ListFilter[] = [
  { id: 'actor', label: t('Person who acted'), type: 'text' },
  { id: 'person', label: t('Person affected'), type: 'text' },
  {
    id: 'act',
    label: t('What'),
    options: [
      { value: 'all', label: t('Everything') },
      ...Object.entries(ACT_NAMES).map(([value, label = value]) => ({
        value,
        label: capitalise(label),
      })),
    ],
  },
  { id: 'from', label: t('First day'), type: 'day' },
  { id: 'until', label: t('Last day'), type: 'day' },
];

export function AuditScreen(): ReactElement {
  return (
    <Screen title={t('Audit log')} intro={t('Every decision about a learner or the school. Entries can’t be changed.')}>
      <List<Entry>
        name={t('Audit log')}
        count={(count) => t('{count, plural, one {# entry} other {# entries}}', { count })}
        columns={columns}
        rowId={({ id }) => id}
        defaultSort={{ sort: 'at', direction: 'desc' }}
        queryKey={['audit']}
        filters={FILTERS}
        load={({ sort: _only, ...request }, { from, until, ...filters }) =>
          client.admin.audit({ ...request, ...filters, ...auditPeriod({ from, until }) })
        }
        empty={{ title: t('Nothing yet'), text: t('Decisions appear here as soon as they’re made.') }}
      />
    </Screen>
  );
}
