/** Signing in: an address, then the six digits of the message. There is no password to forget. */
import { type AccountState, Email, SignInCode } from '@parley/contract';
import { Banner, Button, Card, Quiet, Row, TextField } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import css from './account.module.css';

export function SignInScreen(): ReactElement {
  const { queries } = useHost();
  const { link } = useSearch({ from: '/sign-in' });
  const state = useQuery(queries.account.state.queryOptions());
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <Screen title="Sign in" intro="One account on all your computers. What you have done here comes along.">
      <Answered query={state} waiting="Looking for the server">
        {({ hasServer }) =>
          !hasServer ? (
            <Banner>This Parley has no server, so there is nothing to sign in to. Everything works without.</Banner>
          ) : (
            <div className={css['narrow']}>
              <Card>
                {link !== undefined ? (
                  <ByLink link={link} />
                ) : sentTo === null ? (
                  <AskForCode onSent={setSentTo} />
                ) : (
                  <TypeCode email={sentTo} onOtherAddress={() => setSentTo(null)} />
                )}
              </Card>
              <Quiet>
                <Link to="/">Go on without an account</Link>: your work stays on this computer, and you can sign in at
                any time without losing it.
              </Quiet>
            </div>
          )
        }
      </Answered>
    </Screen>
  );
}

/** Where somebody goes who has just come in. */
function useArrival(): (state: AccountState) => Promise<void> {
  const { client } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async ({ known }) => {
    await cache.invalidateQueries();
    if (known !== null && known.account.mustBeGranted && !known.account.hasAccess) return navigate({ to: '/waiting' });
    const { profile } = await client.settings.read();
    return profile.hasSeenOnboarding ? navigate({ to: '/' }) : navigate({ to: '/welcome', search: { step: 1 } });
  };
}

function AskForCode({ onSent }: { onSent: (email: string) => void }): ReactElement {
  const { client } = useHost();
  const [typed, setTyped] = useState('');
  const email = Email.safeParse(typed);
  const ask = useMutation({
    mutationFn: (address: string) => client.account.requestSignIn({ email: address }),
    onSuccess: (_answer, address) => onSent(address),
  });
  const submit = (): void => {
    if (email.success && !ask.isPending) ask.mutate(email.data);
  };
  return (
    <>
      <TextField
        label="Your e-mail"
        type="email"
        autoComplete="email"
        value={typed}
        onChange={setTyped}
        onSubmit={submit}
        autoFocus
        maxLength={320}
        description="You get a message with a code. There is no password."
      />
      {ask.isError && <FailureBanner error={ask.error} />}
      <Row>
        <Button look="primary" onPress={submit} isDisabled={!email.success || ask.isPending}>
          {ask.isPending ? 'Sending …' : 'Send me a code'}
        </Button>
      </Row>
    </>
  );
}

const AGAIN_AFTER_S = 60;

function TypeCode({ email, onOtherAddress }: { email: string; onOtherAddress: () => void }): ReactElement {
  const { client } = useHost();
  const arrive = useArrival();
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [waitS, againFrom] = useCountdown(AGAIN_AFTER_S);
  const code = SignInCode.safeParse(typed.replaceAll(/\s/g, ''));
  const signIn = useMutation({
    mutationFn: (digits: string) => client.account.signIn({ email, code: digits }),
    onSuccess: arrive,
  });
  const again = useMutation({
    mutationFn: () => client.account.requestSignIn({ email }),
    onSuccess: () => againFrom(AGAIN_AFTER_S),
  });
  const submit = (): void => {
    if (code.success && !signIn.isPending) signIn.mutate(code.data);
  };
  return (
    <>
      <p>
        We have sent a message to <strong>{email}</strong>. Type the six digits in it, or open its link on this
        computer.
      </p>
      <TextField
        label="Code"
        value={typed}
        onChange={setTyped}
        onSubmit={submit}
        autoFocus
        maxLength={12}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {signIn.isError && <FailureBanner error={signIn.error} />}
      <Row>
        <Button look="primary" onPress={submit} isDisabled={!code.success || signIn.isPending}>
          {signIn.isPending ? 'Signing in …' : 'Sign in'}
        </Button>
        <Button look="quiet" onPress={onOtherAddress}>
          Another address
        </Button>
        {!isMissing && (
          <Button look="quiet" onPress={() => setMissing(true)}>
            I have not received it
          </Button>
        )}
      </Row>
      {isMissing && (
        <Banner>
          <p>It may take a minute. Look in your spam folder for a message from Parley, and check the address above.</p>
          <Button onPress={() => again.mutate()} isDisabled={waitS > 0 || again.isPending}>
            {waitS > 0 ? `Send it again (in ${waitS} s)` : 'Send it again'}
          </Button>
          {again.isError && <FailureBanner error={again.error} />}
        </Banner>
      )}
    </>
  );
}

/** Opening a link consumes nothing: whoever opened it sees whose it is, and says that they mean it. */
function ByLink({ link }: { link: string }): ReactElement {
  const { client, queries } = useHost();
  const arrive = useArrival();
  const navigate = useNavigate();
  const owner = useQuery(queries.account.whoseLink.queryOptions({ input: { link }, retry: false }));
  const signIn = useMutation({ mutationFn: () => client.account.signInByLink({ link }), onSuccess: arrive });
  const useCode = (
    <Button look="quiet" onPress={() => void navigate({ to: '/sign-in' })}>
      Use a code instead
    </Button>
  );
  return (
    <>
      <Answered query={owner} waiting="Reading the link">
        {({ email }) => (
          <>
            <p>
              Sign in on this computer as <strong>{email}</strong>?
            </p>
            <Quiet small>Is this not your address? Then somebody else’s link was opened: leave it.</Quiet>
            {signIn.isError && <FailureBanner error={signIn.error} />}
            <Row>
              <Button look="primary" onPress={() => signIn.mutate()} isDisabled={signIn.isPending}>
                {signIn.isPending ? 'Signing in …' : `Sign in as ${email}`}
              </Button>
              {useCode}
            </Row>
          </>
        )}
      </Answered>
      {owner.isError && <Row>{useCode}</Row>}
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
