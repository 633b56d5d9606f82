"""The keys that are settings of their own, not servers: what may be given on the command line without being in any file."""

RESERVED = frozenset(
    [
        "config_paths",
        "entrypoint",
        "default_host",
        "head_server",
        "disallowed_ports",
        "head_server_deps",
        "python_version",
        "pip_install_verbose",
        "use_absolute_ip",
        "uv_cache_dir",
        "uv_pip_set_python",
        "uv_venv_dir",
        "skip_venv_if_present",
        "hf_token",
        "ray_head_node_address",
        "port_range_low",
        "port_range_high",
        "dry_run",
        "model_endpoint_readiness_timeout_seconds",
        "allow_openai_version_skew",
        "results_dir",
        "cache_dir",
        "nemo_gym_log_dir",
        "verbose",
        "json",
        "query",
        "component_name",
        "observability_enabled",
        "model_call_capture_dir",
        "token_id_capture",
        "skip_verification",
        "skip_verification_reward",
        "_inherit_from",
        "_copy",
        "error_on_almost_servers",
        "restart_servers",
        "max_server_restarts",
        "server_start_timeout_seconds",
    ]
)
"""Top-level keys that are never servers, whatever they hold."""
POLICY = ("policy_base_url", "policy_api_key", "policy_model_name")
FLAGS = {
    "policy_base_url": "--model-url URL",
    "policy_api_key": "--model-api-key KEY",
    "policy_model_name": "--model NAME",
    "agent_name": "--agent NAME",
    "input_jsonl_fpath": "--input FILE",
    "output_jsonl_fpath": "--output FILE",
    "materialized_inputs_jsonl_fpath": "--inputs FILE",
    "rollouts_jsonl_fpath": "--rollouts FILE",
    "num_repeats": "--num-repeats N",
    "num_samples_in_parallel": "--concurrency N",
    "limit": "--limit N",
    "split": "--split NAME",
    "prompt_config": "--prompt-config FILE",
}
"""The flag that gives a key, where there is one."""
COMMAND_KEYS = frozenset(
    [
        "resume_from_cache",
        "disable_aggregation",
        "responses_create_params",
        "responses_create_params.temperature",
        "responses_create_params.top_p",
        "responses_create_params.max_output_tokens",
        "upload_rollouts",
        "num_repeats_add_seed",
        "skills",
        "skills.path",
        "rollout_collection_driver",
        "reuse_existing_data_preparation",
        "use_cached_prepared_benchmarks",
        "num_prepare_benchmark_processes",
        "prepare_script_args",
        "input_glob",
        "merge_shards",
        "force",
        "overwrite",
        "append",
        "judge_failed_only",
        "allow_partial_rollouts",
        "shard",
        "max_rollout_attempts",
        "rollout_timeout_seconds",
        "wandb_project",
        "wandb_name",
        "wandb_api_key",
        "mlflow_tracking_uri",
        "mlflow_tracking_token",
        "mlflow_experiment_name",
        "mlflow_run_name",
    ]
)
KNOWN = RESERVED | COMMAND_KEYS | set(FLAGS)


def is_reserved(key: str) -> bool:
    return key in RESERVED or key.startswith("uv_")


def how_to_give(key: str) -> str:
    """The ways to give a value to a key, as the end of a sentence."""
    flag = FLAGS.get(key)
    return f"give {flag if flag else f'+{key}=VALUE'} or put it into env.yaml"
