/**
 * A fixed number of places, such as connections. When all are taken, the network that holds most gives one up to a
 * network that holds fewer.
 */

export interface PlaceHolder {
  network: string;
  /** Places without an account count as belonging to one account. */
  account: string | null;
}

export interface Place {
  release: () => void;
}

export interface FairPlaces {
  /**
   * Returns null when all places are taken and no network holds more than the caller's. Otherwise, the place may be
   * taken from the network that holds most, in which case `onLost` of its former holder is called. Within a network,
   * accounts share in the same way.
   */
  take: (holder: PlaceHolder, onLost: () => void) => Place | null;
  /** Whether `take` would find a place. */
  hasPlaceFor: (holder: PlaceHolder) => boolean;
  taken: () => number;
}

interface Taken extends PlaceHolder {
  onLost: () => void;
}

interface Network {
  accounts: CountRanking;
  /** The oldest place of each account comes first. */
  placesByAccount: Map<string | null, Set<Taken>>;
}

export function createFairPlaces(maxPlaces: number): FairPlaces {
  const networks = new CountRanking();
  const networksByName = new Map<string, Network>();
  let taken = 0;

  function add(place: Taken): void {
    const network = networksByName.get(place.network) ?? { accounts: new CountRanking(), placesByAccount: new Map() };
    networksByName.set(place.network, network);
    const places = network.placesByAccount.get(place.account) ?? new Set<Taken>();
    network.placesByAccount.set(place.account, places.add(place));
    network.accounts.increment(place.account);
    networks.increment(place.network);
    taken += 1;
  }

  /** Does nothing for a place that was released or lost. */
  function remove(place: Taken): void {
    const network = networksByName.get(place.network);
    const places = network?.placesByAccount.get(place.account);
    if (network === undefined || places?.delete(place) !== true) return;
    if (places.size === 0) network.placesByAccount.delete(place.account);
    network.accounts.decrement(place.account);
    networks.decrement(place.network);
    if (network.placesByAccount.size === 0) networksByName.delete(place.network);
    taken -= 1;
  }

  /**
   * After giving up a place, a holder must have no fewer than the caller, or the two would take it from each other
   * forever.
   */
  function findPlaceToGiveUp({ network, account }: PlaceHolder): Taken | undefined {
    const most = networks.largest();
    const isFromOther = most.count > networks.countOf(network) + 1;
    const from = networksByName.get(isFromOther ? String(most.key) : network);
    const largest = from?.accounts.largest();
    if (from === undefined || largest === undefined) return undefined;
    if (!isFromOther && largest.count <= from.accounts.countOf(account) + 1) return undefined;
    const [oldest] = from.placesByAccount.get(largest.key) ?? [];
    return oldest;
  }

  return {
    take(holder, onLost) {
      if (taken >= maxPlaces) {
        const lost = findPlaceToGiveUp(holder);
        if (lost === undefined) return null;
        remove(lost);
        lost.onLost();
      }
      const place: Taken = { ...holder, onLost };
      add(place);
      return { release: () => remove(place) };
    },
    hasPlaceFor: (holder) => taken < maxPlaces || findPlaceToGiveUp(holder) !== undefined,
    taken: () => taken,
  };
}

type Key = string | null;

/** Counts by key, and knows the largest count without looking at the others. */
class CountRanking {
  readonly #countByKey = new Map<Key, number>();
  readonly #keysByCount = new Map<number, Set<Key>>();
  #largest = 0;

  countOf(key: Key): number {
    return this.#countByKey.get(key) ?? 0;
  }

  largest(): { key: Key; count: number } {
    const [key = null] = this.#keysByCount.get(this.#largest) ?? [];
    return { key, count: this.#largest };
  }

  increment(key: Key): void {
    this.#set(key, this.countOf(key) + 1);
  }

  decrement(key: Key): void {
    this.#set(key, this.countOf(key) - 1);
  }

  #set(key: Key, count: number): void {
    const before = this.countOf(key);
    const keys = this.#keysByCount.get(before);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysByCount.delete(before);
    if (count === 0) this.#countByKey.delete(key);
    else {
      this.#countByKey.set(key, count);
      this.#keysByCount.set(count, (this.#keysByCount.get(count) ?? new Set<Key>()).add(key));
    }
    // A count changes by one, so a key that alone had the largest count now has the next smaller one.
    this.#largest = Math.max(this.#largest, count);
    if (!this.#keysByCount.has(this.#largest)) this.#largest -= 1;
  }
}
