// Fairy-Stockfish in WebAssembly as a UCI engine on standard input and output, with simple Atomic as a
// variant of its own: `npm install fairy-stockfish-nnue.wasm`, then
// `node --no-experimental-fetch peers/fairy.js FOLDER_WITH_NODE_MODULES`.
const path = require('path');
const readline = require('readline');

const VARIANTS = `[simple-atomic:atomic]
customPiece1 = k:mK
commoner = -
castling = false
enPassantRegion = -
promotionPieceTypes = -
promotionPawnTypes = -
mandatoryPawnPromotion = false
extinctionPseudoRoyal = false
extinctionPieceTypes = k
`;

async function main(folder) {
  const engine = await require(path.join(path.resolve(folder), 'node_modules/fairy-stockfish-nnue.wasm/stockfish.js'))();
  engine.FS.writeFile('/variants.ini', VARIANTS);
  engine.postMessage('setoption name VariantPath value /variants.ini');
  engine.postMessage('setoption name Use NNUE value false');
  for await (const line of readline.createInterface({ input: process.stdin })) {
    engine.postMessage(line);
    if (line === 'quit') break;
  }
  engine.postMessage('quit');
}

main(process.argv[2] ?? '.');
