/** One learner: access, plan, numbers of practice, devices and mail. What the learner said is never shown. */
import { formatList, t } from '@parley/i18n';
import type { LearnerDetail } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api } from '../foundation/api/client.ts';
import { downloadJson } from '../foundation/list/csv.ts';
import {
  formatDateTime,
  formatDay,
  formatNumber,
  formatScore,
  LEVEL_NAMES,
  personName,
} from '../foundation/screen/format.ts';
import { Bars } from '../foundation/screen/plot.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { WideTable } from '../foundation/screen/wide-table.tsx';
import { MAIL_KIND_NAMES, mailStateSentence } from '../mail/index.ts';
import { GrantDialog, RevokeDialog } from './access-dialogs.tsx';
import { CorrectAddressDialog, DeleteDialog, KeepDialog, SendLinkDialog } from './learner-dialogs.tsx';
import { planSentence } from './plan-sentence.ts';

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
  const exportNumbers = (): void => downloadJson(`learner-${learner.userId}`, learner);
  return (
    <Screen
      title={personName(learner)}
      intro={
        <>
          <Link to="/learners">{t('Learners')}</Link> · <bdi>{email ?? t('no e-mail address')}</bdi>
        </>
      }
      action={
        <>
          {hasAccess ? (
            <>
              {email !== null && <Button onPress={() => setOpen('link')}>{t('Send a new link')}</Button>}
              <Button onPress={() => setOpen('revoke')}>{t('End access')}</Button>
            </>
          ) : (
            <Button variant="primary" onPress={() => setOpen('grant')}>
              {t('Approve')}
            </Button>
          )}
        </>
      }
    >
      {eraseAt !== null && (
        <Banner tone="warn" action={<Button onPress={() => setOpen('keep')}>{t('Keep this learner')}</Button>}>
          {t('This account will be erased on {day}.', { day: formatDay(eraseAt) })}
        </Banner>
      )}
      <div className={table['columns']}>
        <div className={table['stack']}>
          <Practice practice={learner.practice} />
          <MailTable mails={learner.mails} />
        </div>
        <div className={table['stack']}>
          <section className={table['section']}>
            <h2>{t('Account')}</h2>
            <dl className={table['facts']}>
              <dt>{t('Access')}</dt>
              <dd>{accessSentence(learner)}</dd>
              {waitingSince !== null && (
                <>
                  <dt>{t('Asked')}</dt>
                  <dd>{formatDateTime(waitingSince)}</dd>
                </>
              )}
              <dt>{t('Plan')}</dt>
              <dd>{planSentence(learner.plan)}</dd>
              <dt>{t('Last sign-in')}</dt>
              <dd>{lastLoginAt === null ? t('never') : formatDateTime(lastLoginAt)}</dd>
              <dt>{t('Level')}</dt>
              <dd>{learner.englishLevel === null ? '–' : LEVEL_NAMES[learner.englishLevel]}</dd>
              <dt>{t('Job')}</dt>
              <dd>
                <bdi>{learner.jobTitle ?? '–'}</bdi>
              </dd>
              <dt>{t('Industry')}</dt>
              <dd>
                <bdi>{learner.industry ?? '–'}</bdi>
              </dd>
              <dt>{t('Reminders')}</dt>
              <dd>{learner.emailNotifications ? t('on') : t('turned off by the learner')}</dd>
            </dl>
          </section>
          <section className={table['section']}>
            <h2>{t('Devices')}</h2>
            {learner.devices.length === 0 && <p className={table['quiet']}>{t('No device is signed in.')}</p>}
            <ul>
              {learner.devices.map(({ name, platform, lastSeenAt }) => (
                <li key={`${name} ${lastSeenAt}`}>
                  <bdi>{name}</bdi>{' '}
                  <span className={table['small']}>
                    {t('{platform}, last seen {day}', { platform, day: formatDay(lastSeenAt) })}
                  </span>
                </li>
              ))}
              {learner.wipes.map(({ deviceId, name, wipedAt }) => (
                <li key={deviceId}>
                  <bdi>{name}</bdi>{' '}
                  <span className={table['small']}>
                    {wipedAt === null
                      ? t('signed out; its data will be deleted when it next connects')
                      : t('signed out; its data was deleted on {day}', { day: formatDay(wipedAt) })}
                  </span>
                </li>
              ))}
            </ul>
          </section>
          <section className={table['section']}>
            <h2>{t('More')}</h2>
            <div className={table['buttons']}>
              <Button onPress={exportNumbers}>{t('Export these statistics')}</Button>
              {lastLoginAt === null && <Button onPress={() => setOpen('address')}>{t('Correct the address')}</Button>}
              {eraseAt === null && (
                <Button variant="danger" onPress={() => setOpen('delete')}>
                  {t('Delete this learner')}
                </Button>
              )}
            </div>
            <p className={table['small']}>
              {t(
                'Only the learner can export what they said, from their own account page. You can’t sign in as a learner.',
              )}
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
  if (!hasAccess) return accessDate === null ? t('No access yet') : t('Ended');
  if (accessDate === null) return isAdmin ? t('Admin, with access') : t('Has access');
  const day = formatDay(accessDate);
  return isAdmin ? t('Admin, with access since {day}', { day }) : t('Has access since {day}', { day });
}

function Practice({ practice }: { practice: LearnerDetail['practice'] }): ReactElement {
  const { finished, minutes, score, lastAt, weeks } = practice;
  return (
    <section className={table['section']}>
      <h2>{t('Practice')}</h2>
      <p>
        {joinSentences(t, [
          finished === 0
            ? t('No finished practice yet.')
            : t(
                '{finished, plural, one {# finished} other {# finished}}, {minutes, plural, one {# minute} other {# minutes}} of talking, median score {score}.',
                { finished, minutes, score: formatScore(score) },
              ),
          ...(lastAt === null ? [] : [t('The last one was on {day}.', { day: formatDay(lastAt) })]),
        ])}
      </p>
      <WideTable name={t('Practice')}>
        <thead>
          <tr>
            <th>{t('Week from')}</th>
            <th className={table['end']}>{t('Finished')}</th>
            <th className={table['end']}>{t('Minutes')}</th>
            <th className={table['end']}>{t('Median score')}</th>
          </tr>
        </thead>
        <tbody>
          {weeks.toReversed().map((week) => (
            <tr key={week.start}>
              <td>{formatDay(week.start, 'UTC')}</td>
              <td className={table['end']}>{formatNumber(week.practices)}</td>
              <td className={table['end']}>{formatNumber(week.minutes)}</td>
              <td className={table['end']}>{formatScore(week.score)}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      <Bars
        label={t('Practices finished in eight weeks: {values}', {
          values: formatList(weeks.map(({ practices }) => formatNumber(practices))),
        })}
        values={weeks.map(({ practices }) => practices)}
      />
    </section>
  );
}

function MailTable({ mails }: { mails: LearnerDetail['mails'] }): ReactElement {
  return (
    <section className={table['section']}>
      <h2>{t('E-mail to this learner')}</h2>
      {mails.length === 0 ? (
        <p className={table['quiet']}>{t('Nothing has been sent yet.')}</p>
      ) : (
        <WideTable name={t('E-mail to this learner')}>
          <thead>
            <tr>
              <th>{t('When')}</th>
              <th>{t('What')}</th>
              <th>{t('Delivery')}</th>
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
        </WideTable>
      )}
    </section>
  );
}
