/** Signing in: an address, then the six digits of the message. There is no password to forget. */
import { Email } from '@parley/contract';
import { Address, Button, Card, Quiet, Row, TextField } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { NoServer } from '../app/no-server.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import css from './account.module.css';
import { hasCode, type Messages, sentMessage, typedWrong } from './sign-in-messages.ts';
import { TypeCode } from './type-code.tsx';
import { useArrival } from './use-arrival.ts';
import { heldBy, WhatComesAlong } from './what-comes-along.tsx';

export function SignInScreen(): ReactElement {
  const { queries } = useHost();
  const { link } = useSearch({ from: '/sign-in' });
  const state = useQuery(queries.account.state.queryOptions());
  const [sentTo, setSentTo] = useState<string | null>(null);
  /** By address: whoever goes back and asks again has no new tries. */
  const [messages, setMessages] = useState<Readonly<Record<string, Messages>>>({});
  const sent = (email: string): void => {
    setMessages((before) => ({ ...before, [email]: sentMessage(before[email], Date.now()) }));
    setSentTo(email);
  };
  const toAddress = sentTo === null ? undefined : messages[sentTo];
  const change = (by: (before: Messages) => Messages): void => {
    if (sentTo !== null && toAddress !== undefined) setMessages({ ...messages, [sentTo]: by(toAddress) });
  };
  return (
    <Screen title="Sign in" intro="One account on all your computers.">
      <Answered query={state} waiting="Looking for the server">
        {({ hasServer, known }) =>
          !hasServer ? (
            <NoServer>An account lives on a server, and this Parley has none yet. Choose one, then sign in.</NoServer>
          ) : (
            <div className={css['narrow']}>
              <Card>
                {link !== undefined ? (
                  <ByLink link={link} held={heldBy(known)} />
                ) : sentTo === null || toAddress === undefined ? (
                  <AskForCode held={heldBy(known)} onSent={sent} />
                ) : (
                  <TypeCode
                    email={sentTo}
                    messages={toAddress}
                    onSent={() => sent(sentTo)}
                    onWrongCode={() => change(typedWrong)}
                    onHasCode={() => change(hasCode)}
                    onOtherAddress={() => setSentTo(null)}
                  />
                )}
              </Card>
              <GoOn held={heldBy(known)} />
            </div>
          )
        }
      </Answered>
    </Screen>
  );
}

const GoOn = ({ held }: { held: string | null }): ReactElement =>
  held === null ? (
    <Quiet>
      <Link to="/">Go on without an account</Link>: your work stays on this computer, and moves into your account
      whenever you sign in.
    </Quiet>
  ) : (
    <Quiet>
      <Link to="/">Go on as before</Link>: what you do on this computer belongs to <Address>{held}</Address>.
    </Quiet>
  );

function AskForCode({ held, onSent }: { held: string | null; onSent: (email: string) => void }): ReactElement {
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
      <WhatComesAlong held={held} to={email.success ? email.data : null} />
      {ask.isError && <FailureBanner error={ask.error} />}
      <Row>
        <Button look="primary" onPress={submit} isDisabled={!email.success || ask.isPending}>
          {ask.isPending ? 'Sending …' : 'Send me a code'}
        </Button>
      </Row>
    </>
  );
}

/** Opening a link consumes nothing: whoever opened it sees whose it is, and says that they mean it. */
function ByLink({ link, held }: { link: string; held: string | null }): ReactElement {
  const { client, queries } = useHost();
  const arrive = useArrival();
  const navigate = useNavigate();
  const signIn = useMutation({ mutationFn: () => client.account.signInByLink({ link }), onSuccess: arrive });
  const owner = useQuery(
    queries.account.whoseLink.queryOptions({
      input: { link },
      retry: false,
      // A link is good once: what was said of it before may not be true when it is opened again.
      staleTime: 0,
      gcTime: 0,
      // Nor is it asked about while it is being used up.
      enabled: signIn.isIdle || signIn.isError,
    }),
  );
  const useCode = (
    <Button look="quiet" onPress={() => void navigate({ to: '/sign-in' })}>
      Use a code instead
    </Button>
  );
  if (owner.isError)
    return (
      <>
        <FailureBanner error={owner.error} onRetry={() => void owner.refetch()} />
        <Row>{useCode}</Row>
      </>
    );
  return (
    <Answered query={owner} waiting="Reading the link">
      {({ email }) => (
        <>
          <p>
            Sign in on this computer as <Address>{email}</Address>?
          </p>
          <WhatComesAlong held={held} to={email} />
          <Quiet small>Is this not your address? Then somebody else’s link was opened: leave it.</Quiet>
          {signIn.isError && <FailureBanner error={signIn.error} />}
          <Row>
            <Button look="primary" onPress={() => signIn.mutate()} isDisabled={signIn.isPending}>
              {signIn.isPending ? 'Signing in …' : 'Sign in'}
            </Button>
            {useCode}
          </Row>
        </>
      )}
    </Answered>
  );
}
