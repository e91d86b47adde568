/** Asks for the e-mailed code that an action which cannot be undone needs. */
import { t } from '@parley/i18n';
import { SignInCode } from '@parley/contract';
import { Banner, Button, Row, Stack } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { errorCode } from '../../foundation/sentences/error-sentence.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { CodeField, newCodeSentence } from '../sign-in/code-field.tsx';
import { ResendEmail, SpamFolderHint } from '../sign-in/resend-email.tsx';
import type { ConfirmedRequest } from './use-confirmed-request.ts';

const WRONG_CODE = 'sign_in.code_wrong';

interface ConfirmWithCodeProps {
  /** Says where the code is sent and what entering it does. It must not promise that the code will arrive. */
  intro: ReactElement;
  /** The label of the button that does it. */
  action: string;
  /** The label of the button that leaves everything as it is. */
  cancel: string;
  requestCode: ConfirmedRequest<unknown>['requestCode'];
  onConfirmed: () => void;
  onClose: () => void;
}

export function ConfirmWithCode({
  intro,
  action,
  cancel,
  requestCode,
  onConfirmed,
  onClose,
}: ConfirmWithCodeProps): ReactElement {
  const { client } = useHost();
  const [typed, setTyped] = useState('');
  /** How many codes were sent after the first one. */
  const [resent, setResent] = useState(0);
  const [isHelpShown, setHelpShown] = useState(false);
  const code = SignInCode.safeParse(typed.replaceAll(/\s/g, ''));
  const confirm = useMutation({
    mutationFn: (digits: string) => client.account.confirm({ code: digits }),
    onSuccess: onConfirmed,
    // The sentence about a wrong code suggests a new one.
    onError: (error) => {
      if (errorCode(error) === WRONG_CODE) setHelpShown(true);
    },
  });
  const isWrong = confirm.isError && errorCode(confirm.error) === WRONG_CODE;
  const maySubmit = code.success && !confirm.isPending && !confirm.isSuccess && !isWrong;
  const submit = (): void => {
    if (maySubmit) confirm.mutate(code.data);
  };
  const changeCode = (digits: string): void => {
    setTyped(digits);
    confirm.reset();
  };
  const sendAgain = (): void => {
    setHelpShown(true);
    requestCode.mutate(undefined, {
      onSuccess: () => {
        changeCode('');
        setResent(resent + 1);
      },
    });
  };
  const isMailWritten = requestCode.data?.isMailWritten === true;
  const { isError: hasRequestFailed } = requestCode;
  return (
    <>
      {!hasRequestFailed && (
        <p>
          {isMailWritten
            ? t(
                'This server sends no e-mail. The message with your code is a file on the server: ask the person who runs it for the code.',
              )
            : intro}
        </p>
      )}
      {resent > 0 && (
        <Banner key={resent}>
          {isMailWritten ? t('The code in the newest message is the one that works.') : newCodeSentence()}
        </Banner>
      )}
      <CodeField
        // Remounted to take the focus back from the button.
        key={`field ${resent}`}
        value={typed}
        onChange={changeCode}
        onSubmit={submit}
        isInvalid={isWrong}
      />
      {confirm.isError && <ErrorBanner error={confirm.error} />}
      <Row>
        <Button variant="danger" onPress={submit} isDisabled={!maySubmit}>
          {action}
        </Button>
        <Button onPress={onClose}>{cancel}</Button>
        {!isHelpShown && !hasRequestFailed && (
          <Button variant="quiet" onPress={() => setHelpShown(true)}>
            {t('I haven’t received it')}
          </Button>
        )}
      </Row>
      {/* Hidden rather than absent, so that the wait begins when the code is sent. */}
      <div hidden={!isHelpShown && !hasRequestFailed}>
        <Banner>
          <Stack tight>
            {!isMailWritten && !hasRequestFailed && <SpamFolderHint />}
            <ResendEmail
              key={`${resent} ${hasRequestFailed}`}
              onResend={sendAgain}
              isPending={requestCode.isPending}
              mustWait={!hasRequestFailed}
            />
          </Stack>
        </Banner>
      </div>
    </>
  );
}
