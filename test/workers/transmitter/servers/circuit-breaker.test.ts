import test from "ava";
import { createCircuitBreaker } from "../../../../workers/transmitter/servers/circuit-breaker.ts";

function atTime() {
  const time = { ms: 0 };
  return { time, circuit: createCircuitBreaker(() => time.ms) };
}

test("five calls in a row without an answer open the circuit for five seconds", (t) => {
  const { time, circuit } = atTime();
  for (let call = 1; call <= 4; call += 1) circuit.failed();
  t.false(circuit.isOpen());
  circuit.failed();
  t.true(circuit.isOpen());
  time.ms = 4_999;
  t.true(circuit.isOpen());
  time.ms = 5_000;
  t.false(circuit.isOpen());
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
