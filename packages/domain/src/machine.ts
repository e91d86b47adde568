/** Runs a state machine: a pure reducer decides what happens, and a runner carries out its effects in order. */

export interface Step<State, Effect> {
  state: State;
  effects: readonly Effect[];
}

export interface Machine<State, Event> {
  readonly state: State;
  dispatch: (event: Event) => void;
}

/** An event that an effect dispatches is handled once the other effects of its step have run. */
export function createMachine<State, Event, Effect>(options: {
  state: State;
  reduce: (state: State, event: Event) => Step<State, Effect>;
  run: (effect: Effect) => void;
}): Machine<State, Event> {
  const { reduce, run } = options;
  const waiting: Event[] = [];
  let { state } = options;
  let isRunning = false;

  function step(event: Event): void {
    const next = reduce(state, event);
    ({ state } = next);
    for (const effect of next.effects) run(effect);
  }

  return {
    get state() {
      return state;
    },
    dispatch(event) {
      waiting.push(event);
      if (isRunning) return;
      isRunning = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) step(next);
      } finally {
        isRunning = false;
      }
    },
  };
}
