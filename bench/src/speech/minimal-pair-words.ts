/**
 * Words that differ in one sound which learners of English confuse (Swan and Smith, "Learner English", 2001): the
 * expected word, and the one that is said.
 */
export const MINIMAL_PAIR_WORDS: readonly (readonly [expected: string, said: string])[] = [
  ['think', 'sink'], ['thick', 'sick'], ['thumb', 'some'], ['path', 'pass'], ['mouth', 'mouse'], ['faith', 'face'],
  ['three', 'tree'], ['thank', 'tank'], ['thin', 'tin'], ['three', 'free'], ['thought', 'fought'], ['they', 'day'],
  ['then', 'den'], ['those', 'doze'], ['breathe', 'breeze'], ['vest', 'west'], ['vine', 'wine'], ['verse', 'worse'],
  ['very', 'berry'], ['vote', 'boat'], ['van', 'ban'], ['view', 'few'], ['leave', 'leaf'], ['save', 'safe'],
  ['light', 'right'], ['lead', 'read'], ['collect', 'correct'], ['glass', 'grass'], ['fly', 'fry'], ['lock', 'rock'],
  ['light', 'night'], ['slow', 'snow'], ['low', 'no'], ['sing', 'sin'], ['ran', 'rang'], ['win', 'wing'],
  ['sheep', 'ship'], ['feel', 'fill'], ['leave', 'live'], ['seat', 'sit'], ['reach', 'rich'], ['sleep', 'slip'],
  ['bad', 'bed'], ['man', 'men'], ['pan', 'pen'], ['sad', 'said'], ['cap', 'cup'], ['fan', 'fun'],
  ['pool', 'pull'], ['late', 'let'], ['pain', 'pen'], ['prize', 'price'], ['eyes', 'ice'], ['peas', 'peace'],
  ['back', 'pack'], ['cab', 'cap'], ['time', 'dime'], ['goat', 'coat'], ['chair', 'share'], ['watch', 'wash'],
]; // prettier-ignore
