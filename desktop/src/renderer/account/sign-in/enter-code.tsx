/** The second step of sign-in: the code, or only the link after too many wrong codes. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import { SignInCode } from '@parley/contract';
import { Address, Banner, Button, Row, Stack } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { errorCode } from '../../foundation/sentences/error-sentence.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { type CodeAttempts, mustUseLink } from './code-attempts.ts';
import { CodeField, newCodeSentence } from './code-field.tsx';
import { ResendEmail, SpamFolderHint } from './resend-email.tsx';
import { useAfterSignIn } from './use-after-sign-in.ts';

export interface EmailSent {
  isNetworkLimited: boolean;
  isMailWritten: boolean;
}

export interface EnterCodeProps {
  email: string;
  attempts: CodeAttempts;
  onSent: (sent: EmailSent) => void;
  onWrongCode: () => void;
  /** Called when the learner says that the newest e-mail has a code. */
  onHasCode: () => void;
  onOtherAddress: () => void;
}

export function EnterCode({ email, attempts, ...callbacks }: EnterCodeProps): ReactElement {
  const { client } = useHost();
  const afterSignIn = useAfterSignIn();
  const [typed, setTyped] = useState('');
  const [isHelpShown, setHelpShown] = useState(false);
  const code = SignInCode.safeParse(typed.replaceAll(/\s/g, ''));
  const signIn = useMutation({
    mutationFn: (digits: string) => client.account.signIn({ email, code: digits }),
    onSuccess: afterSignIn,
    onError: (error) => {
      if (errorCode(error) === 'sign_in.code_wrong') callbacks.onWrongCode();
    },
  });
  const isWrong = signIn.isError && errorCode(signIn.error) === 'sign_in.code_wrong';
  const changeCode = (digits: string): void => {
    setTyped(digits);
    signIn.reset();
  };
  // Submitting the same wrong code again would only use up another attempt.
  const maySubmit = code.success && !signIn.isPending && !isWrong;
  const submit = (): void => {
    if (maySubmit) signIn.mutate(code.data);
  };
  const onResent = (sent: EmailSent): void => {
    changeCode('');
    callbacks.onSent(sent);
  };
  const isLinkRequired = mustUseLink(attempts);
  const otherAddress = (
    <Button variant="quiet" onPress={callbacks.onOtherAddress}>
      {t('Another address')}
    </Button>
  );
  return (
    <>
      {attempts.isNetworkLimited && (
        <Banner tone="warn">
          {t(
            'Many sign-in e-mails have been requested from your network, so addresses that are new here get none at the moment. If you have no account yet, try again later or from another network, or ask your school to invite you.',
          )}
        </Banner>
      )}
      {attempts.sent > 1 && !(attempts.isMailWritten && isLinkRequired) && (
        <Banner>
          {attempts.isMailWritten ? t('The code in the newest message is the one that works.') : newCodeSentence()}
        </Banner>
      )}
      {isLinkRequired ? (
        <>
          <Banner tone="warn">
            {t(
              'Five wrong codes were entered, so the codes in these e-mails no longer work. The link in the newest e-mail still does.',
            )}
          </Banner>
          <p>
            {attempts.isMailWritten ? (
              t(
                'This server sends no e-mail. The message with your link is a file on the server: ask the person who runs it for the link.',
              )
            ) : (
              <Trans
                id="Open the link in the newest e-mail to <0>{email}</0>, on this computer."
                values={{ email }}
                components={{ 0: <Address /> }}
              />
            )}
          </p>
          <ResendSignInEmail email={email} sent={attempts.sent} onSent={onResent} />
          <Row>
            {otherAddress}
            <Button
              variant="quiet"
              onPress={() => {
                changeCode('');
                callbacks.onHasCode();
              }}
            >
              {t('My new e-mail has a code')}
            </Button>
          </Row>
        </>
      ) : (
        <>
          <p>
            {attempts.isMailWritten ? (
              t(
                'This server sends no e-mail. The message with your code is a file on the server: ask the person who runs it for the code.',
              )
            ) : (
              <Trans
                id="We’re sending an e-mail to <0>{email}</0>. Type the six digits in it, or open its link on this computer. If it has no digits, open its link."
                values={{ email }}
                components={{ 0: <Address /> }}
              />
            )}
          </p>
          <CodeField
            // Remounted after a wrong code to take the focus back from the disabled button.
            key={attempts.wrongCodes}
            value={typed}
            onChange={changeCode}
            onSubmit={submit}
            isInvalid={isWrong}
          />
          {signIn.isError && <ErrorBanner error={signIn.error} />}
          <Row>
            <Button variant="primary" onPress={submit} isDisabled={!maySubmit}>
              {signIn.isPending ? t('Signing in…') : t('Sign in')}
            </Button>
            {otherAddress}
            {!isHelpShown && (
              <Button variant="quiet" onPress={() => setHelpShown(true)}>
                {t('I haven’t received it')}
              </Button>
            )}
          </Row>
          {isHelpShown && (
            <Banner>
              <Stack tight>
                {!attempts.isMailWritten && <SpamFolderHint />}
                <ResendSignInEmail email={email} sent={attempts.sent} onSent={onResent} />
              </Stack>
            </Banner>
          )}
        </>
      )}
    </>
  );
}

/** Sends another e-mail for this sign-in. */
function ResendSignInEmail({
  email,
  sent,
  onSent,
}: {
  email: string;
  sent: number;
  onSent: (sent: EmailSent) => void;
}): ReactElement {
  const { client } = useHost();
  const resend = useMutation({ mutationFn: () => client.account.requestSignIn({ email }), onSuccess: onSent });
  return (
    <>
      <ResendEmail key={sent} onResend={() => resend.mutate()} isPending={resend.isPending} />
      {resend.isError && <ErrorBanner error={resend.error} />}
    </>
  );
}
