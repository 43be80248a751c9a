"""Tiny models and tokenizers that speak like known ones, and TRL's own trainers set up for them."""

from dataclasses import dataclass

from tiny_tokenizers import byte_level, sentencepiece, special, tiny

from trainplate.loading.source import load

GLM = [
    *map(special, ["<|endoftext|>", "[gMASK]", "<sop>", "<|system|>", "<|user|>", "<|assistant|>", "<|observation|>"]),
    *map(special, ["<think>", "</think>", "<tool_call>", "</tool_call>", "/nothink"]),
]
CAPTAINS = [*map(special, ["<|pad|>", "<|start|>", "<|who|>", "<|over|>"])]
MISTRAL_LIKE = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}{{ '[INST] ' + m.content + ' [/INST]' }}"
    "{% elif m.role == 'assistant' %}{{ ' ' + m.content + eos_token }}"
    "{% else %}{{ raise_exception('only users and assistants speak') }}{% endif %}{% endfor %}"
)
UNKNOWN = (
    "{%- for m in messages %}\n"
    "    {{- '<|start|>' + ('skipper' if m.role == 'assistant' else m.role) + '<|who|>' }}\n"
    "    {%- if m.reasoning_content and loop.last %}{{ '(' + m.reasoning_content + ')' }}{% endif %}\n"
    "    {{- m.content + '<|over|>\\n' }}\n"
    "{%- endfor %}\n"
    "{%- if add_generation_prompt %}{{ '<|start|>skipper<|who|>' }}{% endif %}"
)


@dataclass(frozen=True)
class Speaker:
    """A kind of template with its tokenizer, and what its model must learn to say to two questions."""

    name: str
    template: str
    make: object
    says: tuple[str, str]

    def tokenizer(self):
        made = self.make()
        made.chat_template = self.template
        return made


def fast(encoder, **names):
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=encoder, **names)


def from_trl(name):
    return load(f"trl:{name}")[0].source


def speakers():
    """Return the kinds of templates by name; their originals are TRL's copies, and our own."""
    glm = {"eos_token": "<|user|>", "pad_token": "<|endoftext|>"}
    pieces = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<unk>"}
    marks = [special("[INST]"), special("[/INST]")]
    captains = {"eos_token": "<|over|>", "pad_token": "<|pad|>"}
    kinds = [
        Speaker("qwen3", from_trl("qwen3"), lambda: tiny("chatml"), say("<|im_end|>", "<think>\n\n</think>\n\n")),
        Speaker(
            "glm", from_trl("glm4moe"), lambda: fast(byte_level(GLM), **glm), say("<|user|>", "\n<think></think>\n")
        ),
        Speaker("gemma", from_trl("gemma"), lambda: tiny("newlines"), say("<end_of_turn>")),
        Speaker(
            "mistral",
            MISTRAL_LIKE,
            lambda: fast(sentencepiece(marks, scheme="first", bos="<s>"), **pieces),
            say("</s>", " "),
        ),
        Speaker("unknown", UNKNOWN, lambda: fast(byte_level(CAPTAINS), **captains), say("<|over|>")),
    ]
    return {kind.name: kind for kind in kinds}


ANSWERS = ("The storm is next.", "No.")


def say(stop, before=""):
    """Return both answers as a model says them."""
    first, second = (before + answer + stop for answer in ANSWERS)
    return first, second


def talk():
    """Return two questions and their answers."""
    return [
        {"role": "user", "content": "What is next?"},
        {"role": "assistant", "content": ANSWERS[0]},
        {"role": "user", "content": "Is it so?"},
        {"role": "assistant", "content": ANSWERS[1]},
    ]


def tiny_model(tokenizer):
    """Return a model of two layers with random weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def sft_trainer(tokenizer, rows, folder, **settings):
    """Return TRL's trainer for two steps; what reaches its model is kept in `seen`."""
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    config = SFTConfig(
        **{
            "output_dir": str(folder),
            "max_steps": 2,
            "per_device_train_batch_size": 2,
            "save_steps": 2,
            "save_only_model": True,
            "assistant_only_loss": True,
            "gradient_checkpointing": False,
            "use_cpu": True,
            "bf16": False,
            "report_to": "none",
            "disable_tqdm": True,
            **settings,
        }
    )
    dataset = Dataset.from_list(rows) if isinstance(rows, list) else rows
    trainer = SFTTrainer(model=tiny_model(tokenizer), args=config, train_dataset=dataset, processing_class=tokenizer)
    trainer.seen = []
    compute = trainer.compute_loss

    def compute_loss(model, inputs, *args, **kwargs):
        trainer.seen.append({name: value.clone() for name, value in inputs.items() if hasattr(value, "clone")})
        return compute(model, inputs, *args, **kwargs)

    trainer.compute_loss = compute_loss
    return trainer


def trained_texts(tokenizer, labels):
    """Return each run of labels as text, white space behind its end left out."""
    runs, run = [], []
    for label in [*labels, -100]:
        if label != -100:
            run.append(label)
        elif run:
            runs.append(text_of(tokenizer, run).rstrip())
            run = []
    return tuple(runs)


def text_of(tokenizer, ids):
    """Return the text of some tokens; the tokens of SentencePiece write spaces as lower lines."""
    return tokenizer.decode(ids, skip_special_tokens=False, clean_up_tokenization_spaces=False).replace("▁", " ")


def grpo_trainer(tokenizer, tools, says, folder, **settings):
    """Return TRL's trainer for two steps, whose model says what `says` gives for a prompt and not what it samples."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    config = GRPOConfig(
        **{
            "output_dir": str(folder),
            "max_steps": 2,
            "per_device_train_batch_size": 2,
            "num_generations": 2,
            "max_completion_length": 400,
            "save_steps": 2,
            "save_only_model": True,
            "use_cpu": True,
            "bf16": False,
            "report_to": "none",
            "disable_tqdm": True,
            **settings,
        }
    )
    trainer = GRPOTrainer(
        model=tiny_model(tokenizer),
        reward_funcs=lambda completions, **_: [float(number) for number, _ in enumerate(completions)],
        args=config,
        train_dataset=Dataset.from_list([{"prompt": talk()[:1]}] * 4),
        processing_class=tokenizer,
        tools=tools,
    )

    def generate(prompt_ids, images, multimodal_fields, num_generations, has_tool_images=False):
        texts = [tokenizer.decode(ids) for ids in prompt_ids]
        return [tokenizer(says(text), add_special_tokens=False)["input_ids"] for text in texts], None

    trainer._generate_single_turn = generate
    trainer.seen = []
    compute = trainer.compute_loss

    def compute_loss(model, inputs, *args, **kwargs):
        trainer.seen.append(dict(inputs))
        return compute(model, inputs, *args, **kwargs)

    trainer.compute_loss = compute_loss
    return trainer
