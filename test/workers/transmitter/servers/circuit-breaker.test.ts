import test from "ava";
import { createCircuitBreaker } from "../../../../workers/transmitter/servers/circuit-breaker.ts";

function atTime() {
  const time = { ms: 0 };
  return { time, circuit: createCircuitBreaker(() => time.ms) };
}

test("five calls in a row without an answer open the circuit, for longer with each trial that fails", (t) => {
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

test("it tells when the server was back, after it had been away", (t) => {
  const { time, circuit } = atTime();
  circuit.failed();
  circuit.answered();
  t.is(circuit.backSince(), undefined, "a single call without an answer is no absence");
  for (let call = 1; call <= 5; call += 1) circuit.failed();
  for (time.ms = 1_500; time.ms < 1_800; time.ms += 100) circuit.answered();
  t.is(circuit.backSince(), 1_500);
});

test("an answer ends the row of failures", (t) => {
  const { circuit } = atTime();
  for (let call = 1; call <= 4; call += 1) circuit.failed();
  circuit.answered();
  circuit.failed();
  t.false(circuit.isOpen());
});

test("the first call after the open time opens the circuit again where it fails", (t) => {
  const { time, circuit } = atTime();
  for (let call = 1; call <= 5; call += 1) circuit.failed();
  time.ms = 6_000;
  circuit.failed();
  t.true(circuit.isOpen());
});

test("it tells since when no call has been answered, from the first that failed", (t) => {
  const { time, circuit } = atTime();
  t.is(circuit.failingSince(), undefined);
  for (time.ms = 100; time.ms <= 700; time.ms += 100) circuit.failed();
  t.is(circuit.failingSince(), 100);
  circuit.answered();
  t.is(circuit.failingSince(), undefined);
});
