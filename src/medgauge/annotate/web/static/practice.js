// The practice pairs, with feedback after each.

import { accept, focusAnswer, listen, present } from "./answers.js";
import { post } from "./requests.js";

const { pairs } = JSON.parse(document.getElementById("state").textContent);
const feedback = document.getElementById("feedback");
const problem = document.getElementById("problem");
const next = document.getElementById("next");
let place = 0;

function show() {
  document.getElementById("count").textContent = `Practice pair ${place + 1} of ${pairs.length}`;
  document.getElementById("left").textContent = pairs[place].left;
  document.getElementById("right").textContent = pairs[place].right;
  feedback.hidden = true;
  accept(true);
  present(undefined);
  focusAnswer();
}

async function answer(value) {
  present(value);
  accept(false);
  problem.hidden = true;
  try {
    const reply = await post("/practice", { place, value });
    document.getElementById("verdict").textContent = reply.right ? "Yes." : "We would answer differently.";
    document.getElementById("why").textContent = reply.feedback;
    feedback.classList.toggle("good", reply.right);
    feedback.hidden = false;
    next.focus();
  } catch (error) {
    problem.textContent = `${error.message} Please answer again.`;
    problem.hidden = false;
    accept(true);
  }
}

next.addEventListener("click", () => {
  place += 1;
  if (place < pairs.length) {
    show();
    return;
  }
  document.getElementById("rating").hidden = true;
  const end = document.getElementById("end");
  end.hidden = false;
  end.querySelector("button").focus();
});

listen(answer, () => {});
show();
