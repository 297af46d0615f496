import test from "ava";
import { createCircuitBreaker } from "../../../../workers/transmitter/servers/circuit-breaker.ts";

function atTime(share = 0) {
  const time = { ms: 0 };
  const circuit = createCircuitBreaker(
    () => time.ms,
    () => share,
  );
  return { time, circuit };
}

test("five unanswered calls in a row open the circuit, for longer after each failed trial", (t) => {
  const { time, circuit } = atTime();
  for (let call = 1; call <= 4; call += 1) circuit.failed();
  t.false(circuit.isOpen());
  for (const openMs of [1_000, 2_000, 4_000, 5_000, 5_000]) {
    circuit.failed();
    circuit.failed();
    time.ms += openMs - 1;
    t.true(circuit.isOpen());
    time.ms += 1;
    t.false(circuit.isOpen(), `after ${openMs} ms`);
  }
});

test("the circuit breaker reports when the server has recovered from an outage", (t) => {
  const { time, circuit } = atTime();
  circuit.failed();
  circuit.answered();
  t.is(circuit.backSince(), undefined, "a single unanswered call is not an outage");
  for (let call = 1; call <= 5; call += 1) circuit.failed();
  for (time.ms = 1_500; time.ms < 1_800; time.ms += 100) circuit.answered();
  t.is(circuit.backSince(), 1_500);
});

test("a response ends the series of failures", (t) => {
  const { circuit } = atTime();
  for (let call = 1; call <= 4; call += 1) circuit.failed();
  circuit.answered();
  circuit.failed();
  t.false(circuit.isOpen());
});

test("if the first call after the pause fails, the circuit opens again", (t) => {
  const { time, circuit } = atTime();
  for (let call = 1; call <= 5; call += 1) circuit.failed();
  time.ms = 6_000;
  circuit.failed();
  t.true(circuit.isOpen());
});

test("the outage counts from the first failed call", (t) => {
  const { time, circuit } = atTime();
  t.is(circuit.failingSince(), undefined);
  for (time.ms = 100; time.ms <= 700; time.ms += 100) circuit.failed();
  t.is(circuit.failingSince(), 100);
  circuit.answered();
  t.is(circuit.failingSince(), undefined);
});

test("processes that find the server unreachable at the same time do not call it again at the same time", (t) => {
  const { time, circuit } = atTime(0.8);
  for (let call = 1; call <= 5; call += 1) circuit.failed();
  time.ms = 1_199;
  t.true(circuit.isOpen());
  time.ms = 1_200;
  t.false(circuit.isOpen());
});
