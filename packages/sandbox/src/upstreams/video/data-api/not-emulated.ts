/** What the real service has and this one does not, with the reason: verbs, and the path of each. */
const LEFT_OUT = {
  'PUT /playlistItems': 'No tool moves an item: it is removed, and inserted where it should stand.',
  'PUT /commentThreads': 'It is gone from the reference, which changes comments alone.',
  'GET /liveChat/messages/stream': 'It is an endless answer; polling the list tells the same.',
  'POST /tests': "It is for the service's own people, and does nothing that one could see.",
};

export const NOT_EMULATED = Object.keys(LEFT_OUT);
