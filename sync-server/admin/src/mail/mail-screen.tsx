/** The queue and the log of e-mails, the option to resend them, and every kind of mail with sample data. */
import { t } from '@parley/i18n';
import type { AdminMailsRequest, MailRow } from '@parley/contract';
import { Badge, Banner, Button } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { errorSentence } from '../foundation/api/error-sentence.ts';
import { csvTime } from '../foundation/list/csv.ts';
import { List, type ListColumn, type ListFilter } from '../foundation/list/list.tsx';
import { Moment } from '../foundation/list/moment.tsx';
import { LongWord } from '../foundation/list/long-word.tsx';
import { formatDateTime } from '../foundation/screen/format.ts';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { WrittenMailBanner } from '../foundation/screen/written-mail-banner.tsx';
import { MAIL_KIND_NAMES, mailStateSentence } from './mail-sentences.ts';

const columns: readonly ListColumn<MailRow>[] = [
  {
    id: 'at',
    title: t('When'),
    sort: 'createdAt',
    csv: ({ createdAt }) => csvTime(createdAt),
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    id: 'to',
    title: t('To'),
    csv: ({ to }) => to,
    cell: ({ to, userId }) =>
      userId === null ? (
        <LongWord>{to}</LongWord>
      ) : (
        <Link to="/learners/$userId" params={{ userId }}>
          <LongWord>{to}</LongWord>
        </Link>
      ),
  },
  { id: 'kind', title: t('What'), csv: kindOf, cell: kindOf },
  { id: 'state', title: t('Delivery'), csv: mailStateSentence, cell: (mail) => <MailState mail={mail} /> },
];

function kindOf({ kind }: MailRow): string {
  return MAIL_KIND_NAMES[kind] ?? kind;
}

function MailState({ mail }: { mail: MailRow }): ReactElement {
  const queryClient = useQueryClient();
  const resend = useMutation({
    mutationFn: () => client.admin.resendMail({ mailId: mail.id }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <div className={table['buttons']}>
      {mail.state === 'sent' && mail.isWritten ? (
        <>
          <Badge>{t('Written to the folder')}</Badge>
          {formatDateTime(mail.sentAt ?? mail.nextTryAt)}
        </>
      ) : (
        <span>{mailStateSentence(mail)}</span>
      )}
      {mail.canBeSentAgain && (
        <Button onPress={() => resend.mutate()} isDisabled={resend.isPending}>
          {t('Send again')}
        </Button>
      )}
      {resend.isError && <span role="alert">{errorSentence(resend.error)}</span>}
      {resend.data?.isQueued === false && (
        <span role="status">{t('Its content is gone. Open the learner and send a new link.')}</span>
      )}
    </div>
  );
}

const FILTERS: readonly ListFilter[] = [
  {
    id: 'state',
    label: t('Show'),
    options: [
      { value: 'all', label: t('All e-mails') },
      { value: 'queued', label: t('Waiting to be sent') },
      { value: 'sent', label: t('Sent') },
      { value: 'written', label: t('Written to the folder') },
      { value: 'undelivered', label: t('Not delivered') },
      { value: 'suppressed', label: t('Held back') },
      { value: 'superseded', label: t('Replaced by a newer one') },
    ],
  },
];

export function MailScreen(): ReactElement {
  return (
    <Screen
      title={t('Mail')}
      intro={t(
        '“I didn’t get the e-mail”? Look for the address here: you see whether the e-mail is waiting, was sent, or came back, and can send a new link from the learner’s page.',
      )}
    >
      <WrittenMailBanner />
      <List<MailRow>
        name={t('Mail')}
        count={(count) => t('{count, plural, one {# e-mail} other {# e-mails}}', { count })}
        columns={columns}
        rowId={({ id }) => id}
        defaultSort={{ sort: 'createdAt', direction: 'desc' }}
        queryKey={['mail']}
        filters={FILTERS}
        searchLabel={t('Address')}
        load={({ sort: _only, ...request }, { state }) =>
          client.admin.mails({
            ...request,
            ...(state === undefined ? {} : { state: state as NonNullable<AdminMailsRequest['state']> }),
          })
        }
        empty={{ title: t('No e-mails yet'), text: t('Every e-mail that this server sends is listed here.') }}
      />
      <Samples />
    </Screen>
  );
}

function Samples(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={table['section']}>
      <h2>{t('What learners read')}</h2>
      {isOpen ? (
        <SampleList />
      ) : (
        <div className={table['buttons']}>
          <Button onPress={() => setOpen(true)}>{t('Show every e-mail with sample data')}</Button>
        </div>
      )}
    </section>
  );
}

function SampleList(): ReactElement {
  const samples = useQuery(api.admin.mailSamples.queryOptions({ input: {}, staleTime: Infinity }));
  return (
    <QueryView query={samples}>
      {(all) => (
        <div className={table['stack']}>
          <Banner>{t('Names, addresses and links below are made up.')}</Banner>
          {all.map(({ kind, step, subject, text }) => (
            <details key={`${kind} ${step}`}>
              <summary>
                {MAIL_KIND_NAMES[kind] ?? kind}: {subject}
              </summary>
              <pre className={table['pre']} tabIndex={0}>
                {text}
              </pre>
            </details>
          ))}
        </div>
      )}
    </QueryView>
  );
}
