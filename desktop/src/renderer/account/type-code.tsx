/** The second step of signing in: the six digits of the message, or its link once too many digits were wrong. */
import { SignInCode } from '@parley/contract';
import { Address, Banner, Button, Row, TextField } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { errorCode } from '../app/error-sentence.ts';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';
import { type Messages, onlyLinkOpens } from './sign-in-messages.ts';
import { useArrival } from './use-arrival.ts';

const AGAIN_AFTER_S = 60;

export interface TypeCodeProps {
  email: string;
  messages: Messages;
  onSent: () => void;
  onWrongCode: () => void;
  /** The newest message has a code after all. */
  onHasCode: () => void;
  onOtherAddress: () => void;
}

export function TypeCode({ email, messages, ...told }: TypeCodeProps): ReactElement {
  const { client } = useHost();
  const arrive = useArrival();
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const code = SignInCode.safeParse(typed.replaceAll(/\s/g, ''));
  const signIn = useMutation({
    mutationFn: (digits: string) => client.account.signIn({ email, code: digits }),
    onSuccess: arrive,
    onError: (error) => {
      if (errorCode(error) === 'sign_in.code_wrong') told.onWrongCode();
    },
  });
  const isWrong = signIn.isError && errorCode(signIn.error) === 'sign_in.code_wrong';
  const type = (digits: string): void => {
    setTyped(digits);
    signIn.reset();
  };
  // The same digits are as wrong as before, and would cost another try.
  const maySubmit = code.success && !signIn.isPending && !isWrong;
  const submit = (): void => {
    if (maySubmit) signIn.mutate(code.data);
  };
  const sentAgain = (): void => {
    type('');
    told.onSent();
  };
  const byLink = onlyLinkOpens(messages);
  const otherAddress = (
    <Button look="quiet" onPress={told.onOtherAddress}>
      Another address
    </Button>
  );
  return (
    <>
      {messages.sent > 1 && (
        <Banner>
          We have sent a new message. At most three go out in fifteen minutes: if none comes, use the newest one that
          you have.
        </Banner>
      )}
      {byLink ? (
        <>
          <Banner tone="warn">
            Five codes were wrong, so these messages’ codes no longer work. The link in the newest message still does.
          </Banner>
          <p>
            Open the link in the newest message to <Address>{email}</Address>, on this computer.
          </p>
          <SendAgain email={email} onSent={sentAgain} />
          <Row>
            {otherAddress}
            <Button
              look="quiet"
              onPress={() => {
                type('');
                told.onHasCode();
              }}
            >
              My new message has a code
            </Button>
          </Row>
        </>
      ) : (
        <>
          <p>
            We have sent a message to <Address>{email}</Address>. Type the six digits in it, or open its link on this
            computer. If it has no digits, open its link.
          </p>
          <TextField
            // After a wrong code the field takes the focus back: the button that had it can do nothing now.
            key={messages.wrongCodes}
            label="Code"
            value={typed}
            onChange={type}
            onSubmit={submit}
            autoFocus
            isInvalid={isWrong}
            maxLength={12}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
          {signIn.isError && <FailureBanner error={signIn.error} />}
          <Row>
            <Button look="primary" onPress={submit} isDisabled={!maySubmit}>
              {signIn.isPending ? 'Signing in …' : 'Sign in'}
            </Button>
            {otherAddress}
            {!isMissing && (
              <Button look="quiet" onPress={() => setMissing(true)}>
                I have not received it
              </Button>
            )}
          </Row>
          {isMissing && (
            <Banner>
              <p>
                It may take a minute. Look in your spam folder for a message from Parley, and check the address above.
              </p>
              <SendAgain email={email} onSent={sentAgain} />
            </Banner>
          )}
        </>
      )}
    </>
  );
}

/** The wait begins when it is shown, and with each message. */
function SendAgain({ email, onSent }: { email: string; onSent: () => void }): ReactElement {
  const { client } = useHost();
  const [waitS, againFrom] = useCountdown(AGAIN_AFTER_S);
  const again = useMutation({
    mutationFn: () => client.account.requestSignIn({ email }),
    onSuccess: () => {
      againFrom(AGAIN_AFTER_S);
      onSent();
    },
  });
  return (
    <>
      <Row>
        <Button onPress={() => again.mutate()} isDisabled={waitS > 0 || again.isPending}>
          {waitS > 0 ? `Send it again (in ${waitS} s)` : 'Send it again'}
        </Button>
      </Row>
      {again.isError && <FailureBanner error={again.error} />}
    </>
  );
}

/** Seconds that are left, and how to begin anew. */
function useCountdown(fromS: number): [number, (seconds: number) => void] {
  const [leftS, setLeft] = useState(fromS);
  useEffect(() => {
    if (leftS === 0) return undefined;
    const timer = setTimeout(() => setLeft(leftS - 1), 1_000);
    return () => clearTimeout(timer);
  }, [leftS]);
  return [leftS, setLeft];
}
