/** The sign-in screen: an e-mail address, then the six digits of the e-mail, or its link. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import { Email } from '@parley/contract';
import { Address, Button, Card, MutedText, Row, TextField } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { NoServerBanner } from '../../foundation/screen/no-server-banner.tsx';
import { QueryView, ErrorBanner, Screen } from '../../foundation/screen/screen.tsx';
import css from '../account.module.css';
import { withCodesReset, type CodeAttempts, afterEmailSent, afterWrongCode } from './code-attempts.ts';
import { EnterCode, type EmailSent } from './enter-code.tsx';
import { useAfterSignIn } from './use-after-sign-in.ts';
import { toAccountEmail, MergePreview } from './merge-preview.tsx';

export function SignInScreen(): ReactElement {
  const { queries } = useHost();
  const { link } = useSearch({ from: '/sign-in' });
  const state = useQuery(queries.account.state.queryOptions());
  const [sentTo, setSentTo] = useState<string | null>(null);
  /** Kept for each address, so that going back and asking again does not reset the count. */
  const [attemptsByAddress, setAttemptsByAddress] = useState<Readonly<Record<string, CodeAttempts>>>({});
  const onEmailSent = (email: string, sent: EmailSent): void => {
    setAttemptsByAddress((before) => ({
      ...before,
      [email]: afterEmailSent(before[email], { nowMs: Date.now(), ...sent }),
    }));
    setSentTo(email);
  };
  const attempts = sentTo === null ? undefined : attemptsByAddress[sentTo];
  const updateAttempts = (by: (before: CodeAttempts) => CodeAttempts): void => {
    if (sentTo !== null && attempts !== undefined)
      setAttemptsByAddress({ ...attemptsByAddress, [sentTo]: by(attempts) });
  };
  return (
    <Screen title={t('Sign in')} intro={t('One account on all your computers.')}>
      <QueryView query={state} loadingLabel={t('Looking for the server')} comesFrom="server">
        {({ hasServer, known }) =>
          !hasServer ? (
            <NoServerBanner>{t('Accounts need a server. Choose one, then sign in.')}</NoServerBanner>
          ) : (
            <div className={css['narrow']}>
              <Card>
                {link !== undefined ? (
                  <SignInByLink link={link} accountEmail={toAccountEmail(known)} />
                ) : sentTo === null || attempts === undefined ? (
                  <RequestCode accountEmail={toAccountEmail(known)} onSent={onEmailSent} />
                ) : (
                  <EnterCode
                    email={sentTo}
                    attempts={attempts}
                    onSent={(sent) => onEmailSent(sentTo, sent)}
                    onWrongCode={() => updateAttempts(afterWrongCode)}
                    onHasCode={() => updateAttempts(withCodesReset)}
                    onOtherAddress={() => setSentTo(null)}
                  />
                )}
              </Card>
              <ContinueWithoutSigningIn accountEmail={toAccountEmail(known)} />
            </div>
          )
        }
      </QueryView>
    </Screen>
  );
}

const ContinueWithoutSigningIn = ({ accountEmail }: { accountEmail: string | null }): ReactElement =>
  accountEmail === null ? (
    <MutedText>
      <Trans
        id="<0>Continue without an account</0>: your work stays on this computer, and moves into your account whenever you sign in."
        components={{ 0: <Link to="/" /> }}
      />
    </MutedText>
  ) : (
    <MutedText>
      <Trans
        id="<0>Continue as before</0>: what you do on this computer belongs to <1>{held}</1>."
        values={{ held: accountEmail }}
        components={{ 0: <Link to="/" />, 1: <Address /> }}
      />
    </MutedText>
  );

function RequestCode({
  accountEmail,
  onSent,
}: {
  accountEmail: string | null;
  onSent: (email: string, sent: EmailSent) => void;
}): ReactElement {
  const { client } = useHost();
  const [typed, setTyped] = useState('');
  const email = Email.safeParse(typed);
  const codeRequest = useMutation({
    mutationFn: (address: string) => client.account.requestSignIn({ email: address }),
    onSuccess: (sent, address) => onSent(address, sent),
  });
  const submit = (): void => {
    if (email.success && !codeRequest.isPending) codeRequest.mutate(email.data);
  };
  return (
    <>
      <TextField
        label={t('Your e-mail')}
        type="email"
        autoComplete="email"
        value={typed}
        onChange={setTyped}
        onSubmit={submit}
        autoFocus
        maxLength={320}
        description={t('We send you a code by e-mail. There’s no password.')}
      />
      <MergePreview accountEmail={accountEmail} to={email.success ? email.data : null} />
      {codeRequest.isError && <ErrorBanner error={codeRequest.error} />}
      <Row>
        <Button variant="primary" onPress={submit} isDisabled={!email.success || codeRequest.isPending}>
          {codeRequest.isPending ? t('Sending…') : t('Send me a code')}
        </Button>
      </Row>
    </>
  );
}

/** Opening a link does not use it up: the learner first sees whose account it opens and confirms. */
function SignInByLink({ link, accountEmail }: { link: string; accountEmail: string | null }): ReactElement {
  const { client, queries } = useHost();
  const afterSignIn = useAfterSignIn();
  const navigate = useNavigate();
  const signIn = useMutation({ mutationFn: () => client.account.signInByLink({ link }), onSuccess: afterSignIn });
  const owner = useQuery(
    queries.account.whoseLink.queryOptions({
      input: { link },
      retry: false,
      // A link works once, so a cached answer may be wrong.
      staleTime: 0,
      gcTime: 0,
      // Not queried during sign-in, which uses up the link.
      enabled: signIn.isIdle || signIn.isError,
    }),
  );
  const codeButton = (
    <Button variant="quiet" onPress={() => void navigate({ to: '/sign-in' })}>
      {t('Use a code instead')}
    </Button>
  );
  if (owner.isError)
    return (
      <>
        <ErrorBanner error={owner.error} onRetry={() => void owner.refetch()} />
        <Row>{codeButton}</Row>
      </>
    );
  return (
    <QueryView query={owner} loadingLabel={t('Reading the link')} comesFrom="server">
      {({ email }) => (
        <>
          <p>
            <Trans
              id="Sign in on this computer as <0>{email}</0>?"
              values={{ email }}
              components={{ 0: <Address /> }}
            />
          </p>
          <MergePreview accountEmail={accountEmail} to={email} />
          <MutedText small>{t('Not your address? Then this link is someone else’s. Close this page.')}</MutedText>
          {signIn.isError && <ErrorBanner error={signIn.error} />}
          <Row>
            <Button variant="primary" onPress={() => signIn.mutate()} isDisabled={signIn.isPending}>
              {signIn.isPending ? t('Signing in…') : t('Sign in')}
            </Button>
            {codeButton}
          </Row>
        </>
      )}
    </QueryView>
  );
}
