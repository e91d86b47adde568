/** One learner: access, plan, numbers of practice, devices and mail. What the learner said is never shown. */
import type { LearnerDetail } from '@parley/contract';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api } from '../foundation/api/client.ts';
import { downloadText } from '../foundation/list/csv.ts';
import { formatDateTime, formatDay, formatNumber, formatScore, personName } from '../foundation/screen/format.ts';
import { Bars } from '../foundation/screen/plot.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { MAIL_KIND_NAMES, mailStateSentence } from '../mail/index.ts';
import { GrantDialog, RevokeDialog } from './access-dialogs.tsx';
import { CorrectAddressDialog, DeleteDialog, KeepDialog, SendLinkDialog } from './learner-dialogs.tsx';

type Open = 'grant' | 'revoke' | 'link' | 'address' | 'delete' | 'keep';

export function LearnerScreen(): ReactElement {
  const { userId } = useParams({ strict: false });
  const learner = useQuery(api.admin.learner.queryOptions({ input: { userId: userId ?? '' } }));
  return <QueryView query={learner}>{(data) => <Learner learner={data} />}</QueryView>;
}

function Learner({ learner }: { learner: LearnerDetail }): ReactElement {
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const { email, hasAccess, waitingSince, eraseAt, lastLoginAt } = learner;
  const exportNumbers = (): void =>
    downloadText(`learner-${learner.userId}.json`, JSON.stringify(learner, null, 2), 'application/json');
  return (
    <Screen
      title={personName(learner)}
      intro={
        <>
          <Link to="/learners">Learners</Link> · <bdi>{email ?? 'no e-mail address'}</bdi>
        </>
      }
      action={
        <>
          {hasAccess ? (
            <>
              {email !== null && <Button onPress={() => setOpen('link')}>Send a new link</Button>}
              <Button onPress={() => setOpen('revoke')}>Take access away</Button>
            </>
          ) : (
            <Button variant="primary" onPress={() => setOpen('grant')}>
              Let in
            </Button>
          )}
        </>
      }
    >
      {eraseAt !== null && (
        <Banner tone="warn" action={<Button onPress={() => setOpen('keep')}>Keep this learner</Button>}>
          This account will be erased on {formatDay(eraseAt)}.
        </Banner>
      )}
      <div className={table['columns']}>
        <div className={table['stack']}>
          <Practice practice={learner.practice} />
          <MailTable mails={learner.mails} />
        </div>
        <div className={table['stack']}>
          <section className={table['section']}>
            <h2>Account</h2>
            <dl className={table['facts']}>
              <dt>Access</dt>
              <dd>{accessSentence(learner)}</dd>
              {waitingSince !== null && (
                <>
                  <dt>Asked</dt>
                  <dd>{formatDateTime(waitingSince)}</dd>
                </>
              )}
              <dt>Plan</dt>
              <dd>{planSentence(learner.plan)}</dd>
              <dt>Last sign-in</dt>
              <dd>{lastLoginAt === null ? 'never' : formatDateTime(lastLoginAt)}</dd>
              <dt>Level</dt>
              <dd>{learner.englishLevel ?? '–'}</dd>
              <dt>Job</dt>
              <dd>
                <bdi>{learner.jobTitle ?? '–'}</bdi>
              </dd>
              <dt>Reminders</dt>
              <dd>{learner.emailNotifications ? 'on' : 'turned off by the learner'}</dd>
            </dl>
          </section>
          <section className={table['section']}>
            <h2>Devices</h2>
            {learner.devices.length === 0 && <p className={table['quiet']}>No device is signed in.</p>}
            <ul>
              {learner.devices.map(({ name, platform, lastSeenAt }) => (
                <li key={`${name} ${lastSeenAt}`}>
                  <bdi>{name}</bdi>{' '}
                  <span className={table['small']}>
                    {platform}, last seen {formatDay(lastSeenAt)}
                  </span>
                </li>
              ))}
            </ul>
          </section>
          <section className={table['section']}>
            <h2>More</h2>
            <div className={table['buttons']}>
              <Button onPress={exportNumbers}>Export these numbers</Button>
              {lastLoginAt === null && <Button onPress={() => setOpen('address')}>Correct the address</Button>}
              {eraseAt === null && (
                <Button variant="danger" onPress={() => setOpen('delete')}>
                  Delete this learner
                </Button>
              )}
            </div>
            <p className={table['small']}>
              Only the learner can export what they said, from their own account page. You cannot sign in as a learner.
            </p>
          </section>
        </div>
      </div>
      {open === 'grant' && <GrantDialog learners={[learner]} onClose={close} />}
      {open === 'revoke' && <RevokeDialog learners={[learner]} onClose={close} />}
      {open === 'link' && <SendLinkDialog learner={learner} onClose={close} />}
      {open === 'address' && <CorrectAddressDialog learner={learner} onClose={close} />}
      {open === 'delete' && <DeleteDialog learner={learner} onClose={close} />}
      {open === 'keep' && <KeepDialog learner={learner} onClose={close} />}
    </Screen>
  );
}

function accessSentence({ hasAccess, accessDate, isAdmin }: LearnerDetail): string {
  if (hasAccess)
    return `${isAdmin ? 'Admin, with' : 'Has'} access${accessDate === null ? '' : ` since ${formatDay(accessDate)}`}`;
  return accessDate === null ? 'No access yet' : 'Taken away';
}

const STATUS_NAMES: Readonly<Partial<Record<string, string>>> = {
  active: 'paid',
  trialing: 'on trial',
  past_due: 'payment failed',
  canceled: 'cancelled',
};

function planSentence(plan: LearnerDetail['plan']): string {
  if (plan === null) return 'Free';
  const { type, status, currentPeriodEnd } = plan;
  const state = status === null ? '' : `, ${STATUS_NAMES[status] ?? status.replaceAll('_', ' ')}`;
  return `${type}${state}${currentPeriodEnd === null ? '' : `, until ${formatDay(currentPeriodEnd)}`}`;
}

function Practice({ practice }: { practice: LearnerDetail['practice'] }): ReactElement {
  const { finished, minutes, score, lastAt, weeks } = practice;
  return (
    <section className={table['section']}>
      <h2>Practice</h2>
      <p>
        {finished === 0
          ? 'No finished practice yet.'
          : `${formatNumber(finished)} finished, ${formatNumber(minutes)} minutes of talking, mean score ${formatScore(score)}.`}
        {lastAt !== null && ` The last one was on ${formatDay(lastAt)}.`}
      </p>
      <table className={table['table']}>
        <thead>
          <tr>
            <th>Week from</th>
            <th className={table['end']}>Finished</th>
            <th className={table['end']}>Minutes</th>
            <th className={table['end']}>Median score</th>
          </tr>
        </thead>
        <tbody>
          {weeks.toReversed().map((week) => (
            <tr key={week.start}>
              <td>{formatDay(week.start, 'UTC')}</td>
              <td className={table['end']}>{week.practices}</td>
              <td className={table['end']}>{week.minutes}</td>
              <td className={table['end']}>{formatScore(week.score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Bars
        label={`Practices finished in eight weeks: ${weeks.map(({ practices }) => practices).join(', ')}`}
        values={weeks.map(({ practices }) => practices)}
      />
    </section>
  );
}

function MailTable({ mails }: { mails: LearnerDetail['mails'] }): ReactElement {
  return (
    <section className={table['section']}>
      <h2>E-mail to this learner</h2>
      {mails.length === 0 ? (
        <p className={table['quiet']}>Nothing was sent yet.</p>
      ) : (
        <table className={table['table']}>
          <thead>
            <tr>
              <th>When</th>
              <th>What</th>
              <th>What became of it</th>
            </tr>
          </thead>
          <tbody>
            {mails.map((mail) => (
              <tr key={mail.id}>
                <td>{formatDateTime(mail.createdAt)}</td>
                <td>{MAIL_KIND_NAMES[mail.kind] ?? mail.kind}</td>
                <td>{mailStateSentence(mail)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
